import ReactorRuntime
import Synchronization

/// The time limit of an ask, measured from the call.
@usableFromInline
package struct AskLimit: Sendable {
  package let limit: Duration
  /// Sleeps until the time has passed.
  package let sleep: @Sendable () async throws -> Void

  @usableFromInline
  package init(_ limit: Duration, by clock: some Clock<Duration>) {
    self.limit = limit
    let end = clock.now.advanced(by: limit)
    sleep = { try await clock.sleep(until: end, tolerance: nil) }
  }
}

/// Opens a latch when the time limit of an ask has passed.
final class AskTimer: Sendable {
  private let isOver = Atomic(false)
  private let task = Guarded<Task<Void, Never>?>(nil)

  init(_ limit: AskLimit, opening latch: Latch) {
    let task = PipelineTasks.inheriting { [weak self] in
      guard (try? await limit.sleep()) != nil, self?.end() == true else { return }
      latch.open()
    }
    self.task.withLock { $0 = task }
  }

  /// - Returns: Whether it had not ended before.
  private func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

  /// Stops it.
  ///
  /// - Returns: Whether it has opened the latch.
  func hasFired() -> Bool {
    task.withLock { $0 }?.cancel()
    return !end()
  }
}
