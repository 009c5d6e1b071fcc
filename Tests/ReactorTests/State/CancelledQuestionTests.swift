import TestLimits
import Testing

@testable import Reactor

/// An observer of the newest state whose task is cancelled while the owner is asked for it.
@Suite(.bounded) struct CancelledQuestionTests {
  @Test func `it ends, though the owner has not answered`() async {
    let broadcaster = StateBroadcaster<Int>()
    let cursor = StateCursor<Int>(wantsNewestOnly: true)
    broadcaster.register(cursor)
    let observer = Task { await broadcaster.next(cursor, of: CancellingOwner()) }
    #expect(await observer.value == nil)
    #expect(broadcaster.fanOut.withLock { $0.observers } == 0)
  }
}

/// An owner that cancels the task that asks, and does not answer.
private final class CancellingOwner: StateOwner {
  typealias State = Int

  func newcomer() {}

  func giveBack(_ deserted: StateBroadcaster<Int>) {}

  nonisolated(nonsending) func workInPlace() async -> Bool { false }

  nonisolated(nonsending) func answer(
    _ cursor: StateCursor<Int>, of asking: StateBroadcaster<Int>
  ) async -> Bool {
    withUnsafeCurrentTask { $0?.cancel() }
    return true
  }
}
