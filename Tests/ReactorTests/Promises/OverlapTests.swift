import Reactor
import TestLimits
import TestSupport
import Testing

/// Effects of different actions run at the same time, unless they share a lane.
@Suite(.bounded) struct OverlapTests {
  @Test func `an effect runs while another one waits, of the same kind too`() async {
    let (first, second) = (Gate(), Gate())
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        try await (action == 1 ? first : second).wait()
        await emit(action)
      }
    }
    let receipts = [reactor.send(1), reactor.send(2)]
    await first.reached()
    await second.reached()
    second.open()
    await receipts[1].settled
    #expect(await reactor.currentState == [2])
    first.open()
    await receipts[0].settled
    #expect(await reactor.currentState == [2, 1])
  }

  @Test func `the parts of a merge overlap, those of a concatenation do not`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      let waiting = MutationStream<Int>.run { emit in
        try await gate.wait()
        await emit(action)
      }
      let atOnce = MutationStream.just(action * 10)
      return action == 1 ? .merge(waiting, atOnce) : .concat(waiting, atOnce)
    }
    let receipts = [reactor.send(1), reactor.send(2)]
    await gate.reached(by: 2)
    #expect(await reactor.currentState == [10])
    gate.open()
    for receipt in receipts { await receipt.settled }
    let state = await reactor.currentState
    #expect(Set(state) == [10, 1, 2, 20])
    #expect(state.filter { $0 != 1 && $0 != 10 } == [2, 20])
  }

  @Test func `in a lane of one they run one after the other`() async {
    let reactor = LanedReactor { _, action in action < 3 ? .sequential("disk") : nil }
    let receipts = await reactor.sendAll(1...3)
    #expect(await reactor.started.entries(upTo: 2) == [1, 3])
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 3) == [1, 3, 2])
    await reactor.finish(2, 3)
    for receipt in receipts { await receipt.settled }
  }
}
