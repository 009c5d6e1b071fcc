import Synchronization

/// Lets one wait until something has happened so many times, on whatever threads.
package final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let stream: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  init(_ count: Int) {
    left = Atomic(count)
    (stream, end) = AsyncStream.makeStream()
  }

  /// Once more; more often than was asked for ends the process.
  func step() {
    let left = left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    if left == 0 { end.finish() }
    if left < 0 { fatalError("it happened too often") }
  }

  /// Until the last.
  var isOver: Void {
    get async { for await _ in stream {} }
  }
}
