import Reactor
import ReactorRuntime

/// The answers that are being made, or are on their way to their callers.
///
/// Holds: `state`, guarded by its own lock; waiters are woken outside it.
final class Answers: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiters: [OneShot] = []
  }

  private let state = Guarded(State())

  /// One begins.
  ///
  /// - Returns: To be held until it has been written, or its connection is gone.
  func begin() -> CallRoom {
    state.withLock { $0.count += 1 }
    return CallRoom { self.end() }
  }

  private func end() {
    let waiters = state.withLock { state -> [OneShot] in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.happen() }
  }

  /// Returns when there is none, or the task is cancelled.
  func allArrived() async {
    let waiter = OneShot()
    let isOver = state.withLock { state in
      if state.count > 0 { state.waiters.append(waiter) }
      return state.count == 0
    }
    if !isOver { await waiter.wait() }
  }
}
