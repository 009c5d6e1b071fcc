import Reactor
import ReactorRuntime

/// Something that happens once, and what waits for it.
///
/// Holds: `state`, guarded by its own lock; continuations are resumed, and closures called,
/// outside it.
final class OneShot: Sendable {
  private struct State: Sendable {
    var hasHappened = false
    var last = 0
    var waiters: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())

  var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// It has happened; again changes nothing.
  func happen() {
    let waiters = state.withLock { state in
      state.hasHappened = true
      defer { state.waiters = [:] }
      return state.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters { waiter() }
  }

  /// Has something called when it happens, at once if it has.
  ///
  /// - Returns: By which it can be taken back; `nil` if it has been called.
  @discardableResult
  func whenHappened(_ body: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      if state.hasHappened { return nil }
      state.last += 1
      state.waiters[state.last] = body
      return state.last
    }
    if number == nil { body() }
    return number
  }

  /// What was to be called no longer is.
  func takeBack(_ number: Int?) {
    guard let number else { return }
    state.withLock { _ = $0.waiters.removeValue(forKey: number) }
  }

  /// Returns when it has happened, or the task is cancelled.
  func wait() async {
    let gone = Guarded(false)
    let place = Guarded<CheckedContinuation<Void, Never>?>(nil)
    let resume: @Sendable () -> Void = {
      let waiter = place.withLock { place in
        gone.withLock { $0 = true }
        defer { place = nil }
        return place
      }
      waiter?.resume()
    }
    let number = whenHappened(resume)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = place.withLock { place in
          if gone.withLock({ $0 }) { return true }
          place = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      resume()
    }
    takeBack(number)
  }
}

/// A clock, as a cluster uses it: how long since it began, and to sleep.
struct ClusterClock: Sendable {
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0.bounded) }
  }
}
