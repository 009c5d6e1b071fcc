import TestLimits
import Testing

@testable import Reactor

/// An observer of the newest state whose task is cancelled while the owner is asked for it.
@Suite(.bounded) struct CancelledRequestTests {
  @Test func `a cancelled observer ends, though the owner has not answered`() async {
    let broadcast = Broadcast<Int>(hasValues: true)
    let subscription = StateSubscription(broadcast, of: CancellingOwner(), .newest)
    let observer = Task { await subscription.next() }
    #expect(await observer.value == nil)
    #expect(broadcast.isUnneeded)
  }
}

/// An owner that cancels the task that asks, and does not answer.
private final class CancellingOwner: StateOwner {
  typealias State = Int

  func subscriberAdded() {}

  func lastSubscriberReleased(_ broadcast: Broadcast<Int>) {}

  nonisolated(nonsending) func workInPlace() async -> Bool { false }

  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<Int>) async {
    withUnsafeCurrentTask { $0?.cancel() }
  }
}
