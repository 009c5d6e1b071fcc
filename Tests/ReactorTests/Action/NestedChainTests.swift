import Reactor
import TestLimits
import TestSupport
import Testing

/// Tracked actions each of which sends the next one, on a stack of 256 KiB.
@Suite(.bounded) struct NestedChainTests {
  @Test func `all chains settle once the last action has ended`() async {
    let reactor = SmallStackReactor { reactor, action in
      .run { emit in
        await emit(1)
        if action > 0 { reactor.sendTracked(action - 1) }
      }
    }
    await reactor.sendTracked(TestCounts.levels).settled
    #expect(await reactor.currentState == TestCounts.levels + 1)
  }

  @Test func `cancelling the first action cancels all of the chain`() async {
    let gate = Gate()
    let reactor = SmallStackReactor { reactor, action in
      .run { emit in
        await emit(1)
        if action == 0 { try await gate.wait() }
        reactor.sendTracked(action - 1)
      }
    }
    let receipt = reactor.sendTracked(TestCounts.levels)
    await gate.reached()
    await reactor.turn { _ in receipt.cancel() }
    await receipt.settled
    #expect(await reactor.currentState == TestCounts.levels + 1)
  }
}
