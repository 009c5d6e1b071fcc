import Dispatch

/// Holds up a thread of the database in the middle of its work, until the test resumes it.
final class ThreadGate: Sendable {
  private let paused: AsyncStream<Void>
  private let pausing: AsyncStream<Void>.Continuation
  private let opened = DispatchSemaphore(value: 0)

  init() { (paused, pausing) = AsyncStream.makeStream() }

  /// Blocks the calling thread.
  func pause() {
    pausing.yield()
    opened.wait()
  }

  /// Returns once a thread is blocked.
  func isPaused() async {
    for await _ in paused { return }
  }

  func resume() { opened.signal() }
}
