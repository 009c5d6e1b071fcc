import Reactor
import ReactorRuntime

/// An event that fires once, with its waiters.
///
/// Holds: `state`, guarded by its own lock. Continuations are resumed, and closures called, outside
/// the lock.
final class OneShotEvent: Sendable {
  private struct State: Sendable {
    var hasFired = false
    var last = 0
    var waiters: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())

  var hasFired: Bool { state.withLock { $0.hasFired } }

  /// Fires the event; a second call has no effect.
  func fire() {
    let waiters = state.withLock { state in
      state.hasFired = true
      defer { state.waiters = [:] }
      return state.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters { waiter() }
  }

  /// Calls a closure when the event fires, or at once if it has fired.
  ///
  /// - Returns: A number with which the closure can be removed; `nil` if it has been called.
  @discardableResult
  func whenFired(_ body: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      if state.hasFired { return nil }
      state.last += 1
      state.waiters[state.last] = body
      return state.last
    }
    if number == nil { body() }
    return number
  }

  /// Removes a closure that has not been called.
  func removeHandler(_ number: Int?) {
    guard let number else { return }
    state.withLock { _ = $0.waiters.removeValue(forKey: number) }
  }

  /// Returns when the event has fired, or the task is cancelled.
  func wait() async {
    let isResumed = Guarded(false)
    let place = Guarded<CheckedContinuation<Void, Never>?>(nil)
    let resume: @Sendable () -> Void = {
      let waiter = place.withLock { place in
        isResumed.withLock { $0 = true }
        defer { place = nil }
        return place
      }
      waiter?.resume()
    }
    let number = whenFired(resume)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = place.withLock { place in
          if isResumed.withLock({ $0 }) { return true }
          place = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      resume()
    }
    removeHandler(number)
  }
}

/// A clock for a cluster: the time since it was created, and sleeping.
struct ClusterClock: Sendable {
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0.bounded) }
  }
}
