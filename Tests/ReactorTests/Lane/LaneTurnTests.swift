import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What a lane knows of the action whose turn is under way.
@Suite(.bounded) struct LaneTurnTests {
  @Test func `a further action evicts one whose turn is under way`() async {
    let (clock, hold) = (ManualClock(), Gate())
    let reactor = MutationHookedLaned(
      script: { _, action in action == 2 ? .of(20, 21) : .just(10) },
      lane: { _, action in
        let lane = Lane.concurrent("a")
        return action == 1 ? lane.debounced(for: .steps(1), clock: clock) : lane
      }
    ) {
      $0.shapeMutations = {
        Erased(
          $0.map {
            if $0 == 20 { await hold.pass() }
            return $0
          })
      }
    }
    let receipts = await reactor.sendAll(1...2)
    await hold.reached()
    await reactor.update(.latest("a"))
    await clock.advance(past: 1)
    await reactor.wait { $0.pipeline.core.details.lanes.hasReady }
    hold.open()
    #expect(await receipts[1].outcome.text == "evicted(a)")
    #expect(await receipts[0].outcome.isFinished)
    // What is inside the hook is past recalling.
    #expect(await reactor.currentState == [20, 10])
    #expect(reactor.orders.reports.problems == ["evicted(a)"])
    #expect(reactor.orders.reports.entries.first?.action as? Int == 2)
  }

  @Test func `the depth of a lane counts the action whose turn is under way`() async {
    let depths = Log<[LaneKey: LaneDepth]>()
    let reactor = LanedReactor(script: { reactor, action in
      depths.append(reactor.laneDepths)
      depths.append(["a": reactor.depth(ofLane: "a"), "b": reactor.depth(ofLane: "b")])
      return LanedReactor.gated(reactor, action)
    }) { _, _ in .concurrent("a") }
    await reactor.sendAll(1...2)
    await reactor.flush()
    let (one, two) = (LaneDepth(running: 1, waiting: 0), LaneDepth(running: 2, waiting: 0))
    let none = LaneDepth(running: 0, waiting: 0)
    #expect(
      depths.entries == [["a": one], ["a": one, "b": none], ["a": two], ["a": two, "b": none]])
    await reactor.finish(1, 2)
    // The last effect has said that it has ended, but its lane need not know yet.
    await reactor.wait { $0.laneDepths.isEmpty }
  }
}
