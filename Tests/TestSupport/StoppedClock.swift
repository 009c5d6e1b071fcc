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
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let number = requests.count
    requests.append(now.duration(to: deadline))
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleepers[number] = continuation
        tellWatchers()
      }
    } onCancel: {
      Task { await cancel(number) }
    }
  }

  // MARK: The test

  /// Returns once that many have gone to sleep, counted from the beginning.
  package func hasSeen(_ count: Int) async {
    guard requests.count < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
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

  private func tellWatchers() {
    for watcher in watchers where requests.count >= watcher.count { watcher.continuation.resume() }
    watchers.removeAll { requests.count >= $0.count }
  }
}
