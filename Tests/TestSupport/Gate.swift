import Reactor
import ReactorRuntime

/// A gate that an effect waits at and a test opens; it stays open, and counts its arrivals.
///
/// Holds: `state`, guarded by its own lock; continuations are resumed outside it.
package final class Gate: Sendable, Identifiable {
  private struct State: Sendable {
    var isOpen = false
    var arrivals = 0
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func arrive() -> [CheckedContinuation<Void, Never>] {
      arrivals += 1
      let (reached, rest) = (watchers.filter { $0.count <= arrivals }, watchers)
      watchers = rest.filter { $0.count > arrivals }
      return reached.map(\.continuation)
    }
  }

  private let state = Guarded(State())

  package init() {}

  /// Opens the gate, for good.
  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiter in waiting { waiter.resume() }
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many have arrived at the gate so far.
  package var arrivals: Int { state.withLock { $0.arrivals } }

  /// Waits until the gate is open, or the task is cancelled.
  ///
  /// - Throws: `CancellationError` where the task was cancelled.
  package func wait() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await enter(id, whenCancelled: { Task.isCancelled })
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
    try Task.checkCancellation()
  }

  /// Waits until the gate is open, whatever becomes of the task.
  package func pass() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await enter(id, whenCancelled: { false })
  }

  private func enter(_ id: Int, whenCancelled isCancelled: () -> Bool) async {
    await withCheckedContinuation { continuation in
      let (goesOn, watchers) = state.withLock { state in
        let watchers = state.arrive()
        if state.isOpen || isCancelled() { return (true, watchers) }
        state.waiting[id] = continuation
        return (false, watchers)
      }
      for watcher in watchers { watcher.resume() }
      if goesOn { continuation.resume() }
    }
  }

  /// Waits until so many have arrived at the gate.
  package func reached(by count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
