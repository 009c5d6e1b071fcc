import Foundation
import Reactor
import ReactorRuntime

/// Limits the number of commands that a host executes for other hosts.
///
/// Commands whose callers were answered that they take longer still count.
///
/// Holds: `working`, guarded by its own lock.
final class CallSlots: Sendable {
  private let limit: Int
  /// The number of slots that each command has.
  private let working = Guarded<[UUID: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// The number of commands.
  var count: Int { working.withLock { $0.count } }

  /// Takes a slot for a command.
  ///
  /// - Returns: The slot; `nil` if the limit is reached. A repeated call for a running command
  ///   always gets a slot, since it adds no work.
  func acquire(_ command: UUID) -> CallRoom? {
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

/// A slot that a call occupies until the last reference is released; the work that it began may
/// have one.
final class CallRoom: Sendable {
  private let leave: @Sendable () -> Void

  init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

  deinit { leave() }
}
