import Foundation
import Reactor
import ReactorRuntime

/// Limits the number of commands that a host executes for other hosts.
///
/// Commands whose callers were answered that they take longer still count.
///
/// Holds: `slots`, guarded by its own lock.
final class CallSlots: Sendable {
  private let limit: Int
  /// The number of slots that each command has.
  private let slots = Guarded<[UUID: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// The number of commands.
  var count: Int { slots.withLock { $0.count } }

  /// Takes a slot for a command.
  ///
  /// - Returns: The slot; `nil` if the limit is reached. A repeated call for a running command
  ///   always gets a slot, since it adds no work.
  func acquire(_ command: UUID) -> ReleaseToken? {
    let isAcquired = slots.withLock { slots in
      guard slots.count < limit || slots[command] != nil else { return false }
      slots[command, default: 0] += 1
      return true
    }
    return isAcquired ? ReleaseToken { self.release(command) } : nil
  }

  private func release(_ command: UUID) {
    slots.withLock { slots in
      let rest = (slots[command] ?? 1) - 1
      slots[command] = rest > 0 ? rest : nil
    }
  }
}

/// Calls a closure when its last reference is released.
///
/// A call has one for its slot, and so may the work that the call began.
final class ReleaseToken: Sendable {
  private let release: @Sendable () -> Void

  init(_ release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
