import Reactor
import TestLimits
import TestSupport
import Testing

/// Cases 16 to 25, 29 and 34 of the peers' acceptance cases.
@Suite(.bounded) struct LanePolicyTests {
  @Test func `concurrent: three sends start three effects`() async {
    let reactor = LanedReactor { _, _ in .concurrent("a") }
    await reactor.sendAll(1...3)
    await reactor.flush()
    #expect(reactor.started.entries == [1, 2, 3])
    await reactor.finish(2, 1, 3)
    #expect(await reactor.currentState == [2, 1, 3])
  }

  @Test func `without a lane, effects overlap`() async {
    let reactor = LanedReactor { _, _ in nil }
    await reactor.sendAll(1...3)
    await reactor.flush()
    #expect(reactor.started.entries == [1, 2, 3])
  }

  @Test func `sequential: the next starts only after the one before has ended`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll(1...3)
    await reactor.flush()
    #expect(reactor.started.entries == [1])
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 2) == [1, 2])
    await reactor.finish(2)
    #expect(await reactor.started.entries(upTo: 3) == [1, 2, 3])
    await reactor.finish(3)
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `sequential: values emitted at once are reduced in order`() async {
    let reactor = LanedReactor(script: { reactor, action in
      action == 1 ? LanedReactor.gated(reactor, action) : .just(action)
    }) { _, _ in .sequential("a") }
    let last = await reactor.sendAll(1...9).last
    await reactor.flush()
    #expect(await reactor.currentState == [])
    await reactor.finish(1)
    await last?.settled
    #expect(await reactor.currentState == Array(1...9))
  }

  @Test func `leading: further actions never enter mutate; after the end the next starts`() async {
    let reactor = LanedReactor { _, _ in .leading("a") }
    let receipts = await reactor.sendAll(1...3)
    await receipts[1].settled
    await receipts[2].settled
    #expect(reactor.started.entries == [1])
    #expect(reactor.reports.problems == ["dropped(a)", "dropped(a)"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [2, 3])
    await reactor.finish(1)
    await receipts[0].settled
    reactor.send(4)
    #expect(await reactor.started.entries(upTo: 2) == [1, 4])
  }

  @Test func `latest: three start, only the last emits, the evicted are reported`() async {
    let reactor = LanedReactor { _, _ in .latest("a") }
    let receipts = await reactor.sendAll(1...3)
    await receipts[0].settled
    await receipts[1].settled
    #expect(reactor.started.entries == [1, 2, 3])
    #expect(reactor.reports.problems == ["evicted(a)", "evicted(a)"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [1, 2])
    await reactor.finish(3)
    await receipts[2].settled
    #expect(await reactor.currentState == [3])
  }

  @Test func `latest: what an evicted effect still emits is ignored`() async {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in .latest("a") }
    let receipts = await reactor.sendAll(1...2)
    await reactor.flush()
    await reactor.finish(1, 2)
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [2])
  }

  @Test func `latest, waiting: the newer action starts only once the evicted one has ended`() async
  {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in
      .latest("a", waitingForEvicted: true)
    }
    let receipts = await reactor.sendAll(1...3)
    await reactor.flush()
    #expect(reactor.started.entries == [1])
    #expect(reactor.reports.problems == ["evicted(a)", "superseded(a)"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [1, 2])
    await receipts[1].settled
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 2) == [1, 3])
    await reactor.finish(3)
    await receipts[2].settled
    #expect(await reactor.currentState == [3])
  }

  @Test func `one lane shared by two kinds of action: they never overlap`() async {
    let reactor = LanedReactor { _, action in .sequential(action < 5 ? "a" : "a") }
    await reactor.sendAll([1, 6])
    await reactor.flush()
    #expect(reactor.started.entries == [1])
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 2) == [1, 6])
  }

  @Test func `a lane keyed by an id: two ids run in parallel, each once`() async {
    let reactor = LanedReactor { _, action in .leading(action % 2) }
    await reactor.sendAll([1, 3, 2])
    await reactor.flush()
    #expect(reactor.started.entries == [1, 2])
    #expect(reactor.reports.problems == ["dropped(1)"])
  }

  @Test func `limit 2, newest: of four sends the first two are evicted`() async {
    let reactor = LanedReactor { _, _ in .latest("a", atMost: 2) }
    let receipts = await reactor.sendAll(1...4)
    await receipts[0].settled
    await receipts[1].settled
    #expect(reactor.started.entries == [1, 2, 3, 4])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [1, 2])
    await reactor.finish(3, 4)
    await receipts[3].settled
    #expect(await reactor.currentState == [3, 4])
  }

  @Test func `limit 2, waiting: the third starts when one ends, nothing is cancelled`() async {
    let reactor = LanedReactor { _, _ in .concurrent("a", atMost: 2) }
    let receipts = await reactor.sendAll(1...3)
    await reactor.flush()
    #expect(reactor.started.entries == [1, 2])
    await reactor.finish(2)
    #expect(await reactor.started.entries(upTo: 3) == [1, 2, 3])
    await reactor.finish(1, 3)
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [2, 1, 3])
    #expect(reactor.reports.problems == [])
  }

  @Test func `limit 2, leading: the third is dropped, its body never starts`() async {
    let reactor = LanedReactor { _, _ in .leading("a", atMost: 2) }
    await reactor.sendAll(1...3)[2].settled
    #expect(reactor.started.entries == [1, 2])
    #expect(reactor.reports.problems == ["dropped(a)"])
  }

  @Test func `a higher limit starts actions that wait; a lower one cancels none`() async {
    let reactor = LanedReactor { _, _ in .concurrent("a", atMost: 1) }
    await reactor.sendAll(1...4)
    await reactor.flush()
    #expect(reactor.started.entries == [1])
    await reactor.update(.concurrent("a", atMost: 4))
    #expect(await reactor.started.entries(upTo: 4) == [1, 2, 3, 4])
    await reactor.update(.concurrent("a", atMost: 1))
    await reactor.finish(4, 3, 2, 1)
    await reactor.flush()
    #expect(await reactor.currentState == [4, 3, 2, 1])
  }

  @Test func `an action with a higher limit starts those that wait as well`() async {
    let reactor = LanedReactor { _, action in .concurrent("a", atMost: action < 3 ? 1 : 4) }
    await reactor.sendAll(1...3)
    #expect(await Set(reactor.started.entries(upTo: 3)) == [1, 2, 3])
  }

  @Test func `two reactors with equal keys do not share a lane`() async {
    let first = LanedReactor { _, _ in .leading("a") }
    let second = LanedReactor { _, _ in .leading("a") }
    first.send(1)
    second.send(1)
    await first.flush()
    await second.flush()
    #expect(first.started.entries == [1] && second.started.entries == [1])
    first.cancel(lane: "a")
    await first.flush()
    second.gates[1].open()
    #expect(await second.state.first { $0 == [1] } == [1])
  }

  @Test func `keys of different types are different lanes`() {
    #expect(LaneKey(1) != LaneKey(UInt8(1)))
    #expect(LaneKey("a") == LaneKey("a"))
    #expect(LaneKey(LaneKey("a")) == LaneKey("a"))
    #expect("\(LaneKey("a"))" == "a")
  }

  @Test func `a key can be compared with a string`() {
    let key = LaneKey("search")
    #expect(key == "search")
    #expect(key != "other")
    #expect(LaneKey(1) != "1")
    let problem = ReactorReport.Problem.evictedFromLane(key)
    if case .evictedFromLane("search") = problem {} else { Issue.record("it does not match") }
    if case .evictedFromLane("other") = problem { Issue.record("it matches another") }
  }

  @Test func `an effect that throws frees its slot`() async {
    let reactor = LanedReactor(script: { reactor, action in
      let gate = reactor.gates[action]
      return .run { _ in
        try await gate.wait()
        throw Failure(number: action)
      }
    }) { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll(1...2)
    await reactor.flush()
    reactor.gates[1].open()
    reactor.gates[2].open()
    for receipt in receipts { await receipt.settled }
    #expect(reactor.started.entries == [1, 2])
    #expect(reactor.reports.problems == ["effectFailed", "effectFailed"])
  }

  @Test func `a chain of sends through a lane of one neither deadlocks nor cancels itself`() async {
    for lane in [Lane.sequential("a"), .latest("a"), .concurrent("a", atMost: 1)] {
      let reactor = LanedReactor(script: { reactor, action in
        .run { emit in
          await emit(action)
          if action < 1000 { reactor.send(action + 1) }
        }
      }) { _, _ in lane }
      await reactor.sendTracked(1).settled
      #expect(await reactor.currentState == Array(1...1000))
      #expect(reactor.reports.problems == [])
    }
  }
}
