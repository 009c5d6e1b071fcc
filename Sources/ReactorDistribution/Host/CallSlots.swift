import Foundation
import Reactor
import ReactorRuntime

/// The commands of others that a host works on: so many at a time, also those whose callers have
/// been told that it takes longer.
///
/// Holds: `working`, guarded by its own lock.
final class CallSlots: Sendable {
  private let limit: Int
  /// How many have a slot of each.
  private let working = Guarded<[UUID: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// How many commands there are.
  var count: Int { working.withLock { $0.count } }

  /// - Returns: `nil` where there are as many already. One that asks again for what is under way is
  ///   let in: it makes no more work.
  func enter(_ command: UUID) -> CallRoom? {
    let isIn = working.withLock { working in
      guard working.count < limit || working[command] != nil else { return false }
      working[command, default: 0] += 1
      return true
    }
    return isIn ? CallRoom { self.leave(command) } : nil
  }

  private func leave(_ command: UUID) {
    working.withLock { working in
      let left = (working[command] ?? 1) - 1
      working[command] = left > 0 ? left : nil
    }
  }
}

/// What a call takes up: until its last holder, which may be the work that it has begun, releases
/// it.
final class CallRoom: Sendable {
  private let leave: @Sendable () -> Void

  init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

  deinit { leave() }
}
