/// A stopped clock: a sleep on it ends when the test wakes it.
package actor StoppedClock: Clock {
  /// A time on a clock that never moves.
  package struct Instant: InstantProtocol {
    package var sinceStart: Swift.Duration

    package func advanced(by duration: Swift.Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    package func duration(to other: Instant) -> Swift.Duration { other.sinceStart - sinceStart }

    package init(sinceStart: Swift.Duration = .zero) { self.sinceStart = sinceStart }

    package static func < (left: Instant, right: Instant) -> Bool {
      left.sinceStart < right.sinceStart
    }
  }

  package nonisolated let now = Instant()
  package nonisolated let minimumResolution = Swift.Duration.zero

  /// How long each sleeper wanted to sleep, in the order they came.
  package private(set) var requests: [Swift.Duration] = []
  private var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let number = requests.count
    requests.append(now.duration(to: deadline))
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleepers[number] = continuation
        resumeWaiters()
      }
    } onCancel: {
      Task { await cancel(number) }
    }
  }

  // MARK: The test

  /// Returns once that many have gone to sleep, counted from the beginning.
  package func waitForSleeps(_ count: Int) async {
    guard requests.count < count else { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }

  /// Wakes one sleeper, by its place in the order they came; one that has left is left alone.
  ///
  /// Changes that began together may come in any order.
  package func wake(_ number: Int) {
    sleepers.removeValue(forKey: number)?.resume()
  }

  private func cancel(_ number: Int) {
    sleepers.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }

  private func resumeWaiters() {
    for waiter in waiters where requests.count >= waiter.count { waiter.continuation.resume() }
    waiters.removeAll { requests.count >= $0.count }
  }
}
