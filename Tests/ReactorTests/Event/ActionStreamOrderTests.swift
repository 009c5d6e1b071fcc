import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The order between the streams of actions and what waits for an action.
@Suite(.bounded) struct ActionStreamOrderTests {
  @Test(arguments: [false, true])
  func `an action is in the streams before its waiters are resumed`(hasEffect: Bool) async {
    // The effect ends before it suspends, and so within the turn.
    let reactor = ScriptedReactor { _, _ in hasEffect ? .run { _ in } : .empty }
    let stream = reactor.actions()
    await reactor.turn { reactor in
      let core = reactor.pipeline.core
      // A finished stream gets no further action.
      let settled = Latch { core.events.finishActions() }
      _ = core.ledger.add(settled, for: 0, isTaken: false)
      core.checkForWaiters(from: 0)
      reactor.send(1)
    }
    #expect(await stream.next() == 1)
    #expect(await stream.next() == nil)
  }
}
