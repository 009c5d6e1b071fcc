import ReactorRuntime
import Synchronization

/// How long somebody who asks waits, counted from the call.
@usableFromInline
package struct AskLimit: Sendable {
  package let limit: Duration
  /// Sleeps until the time is up.
  package let sleep: @Sendable () async throws -> Void

  @usableFromInline
  package init(_ limit: Duration, by clock: some Clock<Duration>) {
    self.limit = limit
    let end = clock.now.advanced(by: limit)
    sleep = { try await clock.sleep(until: end, tolerance: nil) }
  }
}

/// Opens a latch when the time of somebody who asks is up.
final class AskTimer: Sendable {
  private enum State: UInt8, AtomicRepresentable { case running, rung, stopped }

  private let state = Atomic(State.running)
  private let task = Guarded<Task<Void, Never>?>(nil)

  init(_ limit: AskLimit, opening latch: Latch) {
    let task = PipelineTasks.inheriting { [weak self] in
      guard (try? await limit.sleep()) != nil else { return }
      self?.ring(latch)
    }
    self.task.withLock { $0 = task }
  }

  private func ring(_ latch: Latch) {
    let (isFirst, _) = state.compareExchange(
      expected: .running, desired: .rung, ordering: .acquiringAndReleasing)
    if isFirst { latch.open() }
  }

  /// Stops it.
  ///
  /// - Returns: Whether it has opened the latch.
  func hasRung() -> Bool {
    let (_, state) = state.compareExchange(
      expected: .running, desired: .stopped, ordering: .acquiringAndReleasing)
    task.withLock { $0 }?.cancel()
    return state == .rung
  }
}
