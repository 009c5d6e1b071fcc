import Reactor
import ReactorRuntime

/// Counts the responses that are being made or sent.
///
/// Holds: `state`, guarded by its own lock. Waiters are resumed outside the lock.
final class PendingResponses: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiters: [OneShotEvent] = []
  }

  private let state = Guarded(State())

  /// Counts a response.
  ///
  /// - Returns: An object to keep until the response has been written or its connection has closed.
  func begin() -> ReleaseToken {
    state.withLock { $0.count += 1 }
    return ReleaseToken { self.end() }
  }

  private func end() {
    let waiters = state.withLock { state -> [OneShotEvent] in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.fire() }
  }

  /// Returns when all responses have been sent, or the task is cancelled.
  func waitUntilSent() async {
    let waiter = OneShotEvent()
    let isOver = state.withLock { state in
      if state.count > 0 { state.waiters.append(waiter) }
      return state.count == 0
    }
    if !isOver { await waiter.wait() }
  }
}
