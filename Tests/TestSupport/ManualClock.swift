import Reactor
import ReactorRuntime

/// A clock that is stopped until the test advances it.
///
/// Holds: `state`, guarded by its own lock; continuations are resumed outside it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var step: Int
    package func advanced(by duration: Swift.Duration) -> Instant {
      Instant(step: step + Int(duration.components.seconds))
    }
    package func duration(to other: Instant) -> Swift.Duration { .seconds(other.step - step) }
    package init(step: Int) { self.step = step }

    package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.step < rhs.step }
  }

  private struct State: Sendable {
    var now = 0
    var expiresImmediately = false
    var advancesAutomatically = false
    var nextID = 0
    var sleepers: [Int: (deadline: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state = Guarded(State())
  /// One entry per sleep begun: its deadline.
  package let sleeps = Log<Int>()
  /// One entry per sleep that is over, by the clock or by a cancel.
  package let ends = Log<Int>()

  package init() {}

  package var now: Instant { Instant(step: state.withLock { $0.now }) }
  package var minimumResolution: Swift.Duration { .seconds(1) }

  /// How many are asleep.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.advancesAutomatically { state.now = max(state.now, deadline.step) }
          if state.expiresImmediately || state.now >= deadline.step || Task.isCancelled {
            return true
          }
          state.sleepers[id] = (deadline.step, continuation)
          return false
        }
        if isOver { continuation.resume() }
        sleeps.append(deadline.step)
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
    // A task that sleeps in a loop until others are done lets them run, on one thread, too.
    if state.withLock({ $0.advancesAutomatically }) { await Task.yield() }
    ends.append(deadline.step)
    try Task.checkCancellation()
  }

  /// Advances the clock to a step once a task sleeps until then.
  ///
  /// A sleep that was requested, and cancelled, is not waited for: another one may come
  /// instead.
  package func advance(past step: Int) async {
    while true {
      // Counted first, so that no sleep that begins meanwhile is missed.
      let count = sleeps.count
      if isAwaited(step) { break }
      _ = await sleeps.entries(upTo: count + 1)
    }
    advance(to: step)
  }

  private func isAwaited(_ step: Int) -> Bool {
    state.withLock { $0.sleepers.values.contains { $0.deadline == step } }
  }

  /// From now on time is up as soon as it begins.
  package func expireImmediately() {
    let sleepers = state.withLock { state in
      state.expiresImmediately = true
      defer { state.sleepers = [:] }
      return Array(state.sleepers.values)
    }
    for sleeper in sleepers { sleeper.continuation.resume() }
  }

  /// From now on the clock advances to the deadline of each sleep.
  package func advanceAutomatically() {
    let last = state.withLock { state in
      state.advancesAutomatically = true
      return state.sleepers.values.map(\.deadline).max()
    }
    if let last { advance(to: last) }
  }

  /// Advances the clock to a step, and wakes the sleeps that are due.
  package func advance(to step: Int) {
    let due = state.withLock { state in
      state.now = max(state.now, step)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for sleeper in due { sleeper.resume() }
  }
}

extension Swift.Duration {
  /// So many steps of a ``ManualClock``.
  package static func steps(_ count: Int) -> Swift.Duration { .seconds(count) }
}
