/// What an end has cut short, and who waits to know.
///
/// Guard of every field: the lock of the ``SettlingLedger`` it belongs to.
@usableFromInline
final class StopBook: Sendable {
  nonisolated(unsafe) var waiters: [Latch] = []
  nonisolated(unsafe) var life: UInt64 = 0
  nonisolated(unsafe) var abandoned: [OpenAction] = []

  @usableFromInline
  func takeWaiters() -> [Latch] {
    defer { waiters = [] }
    return waiters
  }
}
