import Dispatch

/// Holds up a thread of the database in the middle of its work, until the test lets it go on.
final class ThreadGate: Sendable {
  private let paused: AsyncStream<Void>
  private let pausing: AsyncStream<Void>.Continuation
  private let opened = DispatchSemaphore(value: 0)

  init() { (paused, pausing) = AsyncStream.makeStream() }

  /// Blocks whoever calls it.
  func pause() {
    pausing.yield()
    opened.wait()
  }

  /// Returns once somebody is held up.
  func isPaused() async {
    for await _ in paused { return }
  }

  func goOn() { opened.signal() }
}
