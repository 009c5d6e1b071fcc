import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Cases 36, 37 and 40 of the peers' acceptance cases, and what else cancelling has to reach.
@Suite(.bounded) struct LaneCancellationTests {
  /// Action 9 cancels the lane "a", in `mutate`.
  private func reactor(
    script: @escaping LanedReactor.Script = LanedReactor.gated,
    _ lane: @escaping LanedReactor.Choose
  ) -> LanedReactor {
    LanedReactor(script: { reactor, action in
      guard action == 9 else { return script(reactor, action) }
      reactor.cancel(lane: "a")
      return .just(9)
    }) { reactor, action in action == 9 ? nil : lane(reactor, action) }
  }

  @Test func `a cancel sent in the same turn as the start finds it`() async {
    let reactor = reactor(script: LanedReactor.stubborn) { _, _ in .concurrent("a") }
    let receipts = await reactor.sendAll([1, 9])
    await reactor.flush()
    await reactor.finish(1)
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [9])
  }

  @Test func `a cancel from an action spares what was sent after it`() async {
    let reactor = reactor { _, _ in .concurrent("a") }
    let receipts = await reactor.sendAll([1, 9, 2])
    await receipts[0].settled
    #expect(reactor.started.entries == [1, 9, 2])
    reactor.gates[2].open()
    await receipts[2].settled
    #expect(await reactor.currentState == [9, 2])
  }

  @Test func `a cancel from outside reaches what was sent before, taken or not`() async {
    let reactor = reactor { _, _ in .concurrent("a") }
    let receipts = await reactor.turn { reactor in
      let before = [reactor.send(1), reactor.send(2)]
      reactor.cancel(lane: "a")
      return before + [reactor.send(3)]
    }
    await receipts[0].settled
    await receipts[1].settled
    await reactor.flush()
    #expect(reactor.started.entries == [3])
    reactor.gates[3].open()
    await receipts[2].settled
    #expect(await reactor.currentState == [3])
  }

  @Test func `a cancel from off the actor reaches the same actions`() async {
    let reactor = reactor { _, _ in .concurrent("a") }
    let receipts = [reactor.send(1)]
    reactor.cancel(lane: "a")
    let later = reactor.send(2)
    await receipts[0].settled
    reactor.gates[2].open()
    await later.settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `a cancel from an effect spares its own action's successors`() async {
    let reactor = LanedReactor(script: { reactor, action in
      guard action == 9 else { return LanedReactor.gated(reactor, action) }
      return .run { emit in
        try await reactor.gates[9].wait()
        reactor.send(1)
        reactor.cancel(lane: "a")
        reactor.send(2)
        await emit(9)
      }
    }) { _, action in action == 9 ? nil : .concurrent("a") }
    let receipt = reactor.send(9)
    reactor.gates[9].open()
    await receipt.settled
    await reactor.flush()
    #expect(reactor.started.entries == [9, 2])
  }

  @Test func `an effect that cancels its own lane cancels itself`() async {
    let reactor = LanedReactor(script: { reactor, action in
      .run { emit in
        if action == 2 { await reactor.gates[2].pass() }
        reactor.cancel(lane: "a")
        await emit(action)
      }
    }) { _, action in .concurrent("a") }
    await reactor.send(1).settled
    let receipt = reactor.send(2)
    reactor.gates[2].open()
    await receipt.settled
    #expect(await reactor.currentState == [])
  }

  @Test func `cancelling a lane cancels all of it and no other lane`() async {
    let reactor = reactor { _, action in .concurrent(action < 3 ? "a" : "b") }
    let receipts = await reactor.sendAll([1, 2, 3])
    await reactor.flush()
    reactor.cancel(lane: "a")
    await receipts[0].settled
    await receipts[1].settled
    reactor.gates[3].open()
    await receipts[2].settled
    #expect(await reactor.currentState == [3])
    #expect(reactor.reports.problems == [])
  }

  @Test func `cancelling a lane reaches the actions that wait in it`() async {
    let reactor = reactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2, 3])
    await reactor.flush()
    reactor.cancel(lane: "a")
    for receipt in receipts { await receipt.settled }
    #expect(reactor.started.entries == [1])
    #expect(await reactor.currentState == [])
  }

  @Test func `what is cancelled keeps its slot until it has really ended`() async {
    let reactor = reactor(script: LanedReactor.stubborn) { _, _ in .sequential("a") }
    reactor.send(1)
    await reactor.flush()
    reactor.cancel(lane: "a")
    reactor.send(2)
    await reactor.flush()
    #expect(reactor.started.entries == [1])
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 2) == [1, 2])
  }

  @Test func `cancelling the receipt of a waiting action removes it from the queue`() async {
    let reactor = reactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2, 3])
    await reactor.flush()
    receipts[1].cancel()
    await receipts[1].settled
    await reactor.finish(1)
    #expect(await reactor.started.entries(upTo: 2) == [1, 3])
  }

  @Test func `cancelling the receipt of a running action starts the next one`() async {
    let reactor = reactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2])
    await reactor.flush()
    receipts[0].cancel()
    #expect(await reactor.started.entries(upTo: 2) == [1, 2])
    reactor.gates[2].open()
    await receipts[1].settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `cancelling a receipt cancels that send's own work only`() async {
    let reactor = LanedReactor(script: { reactor, action in
      guard action == 1 else { return LanedReactor.gated(reactor, action) }
      return .run { emit in
        reactor.send(2)
        try await reactor.gates[1].wait()
        await emit(1)
      }
    }) { _, _ in nil }
    let receipt = reactor.send(1)
    _ = await reactor.started.entries(upTo: 2)
    receipt.cancel()
    await receipt.settled
    reactor.gates[2].open()
    #expect(await reactor.state.first { !$0.isEmpty } == [2])
  }

  @Test func `cancelling a tracked receipt cancels what the action has caused as well`() async {
    let reactor = LanedReactor(script: { reactor, action in
      .run { emit in
        if action < 3 { reactor.send(action + 1) }
        try await reactor.gates[action].wait()
        await emit(action)
      }
    }) { _, _ in nil }
    let receipt = reactor.sendTracked(1)
    _ = await reactor.started.entries(upTo: 3)
    receipt.cancel()
    await receipt.settled
    #expect(await reactor.currentState == [])
  }

  @Test func `an action that is cancelled before its lane is free is not reported`() async {
    let reactor = reactor { _, _ in .latest("a", waitingForEvicted: true) }
    let receipts = await reactor.sendAll([1, 2])
    await reactor.flush()
    receipts[1].cancel()
    await receipts[1].settled
    await receipts[0].settled
    #expect(reactor.reports.problems == ["evicted(a)"])
  }

  @Test func `an action that a cancelled effect's end starts is not cancelled`() async {
    let seen = Log<Bool>()
    let reactor = LanedReactor(script: { reactor, action in
      if action == 2 { seen.append(Task.isCancelled) }
      return LanedReactor.gated(reactor, action)
    }) { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2])
    await reactor.flush()
    receipts[0].cancel()
    #expect(await seen.entries(upTo: 1) == [false])
  }

  @Test func `after cancels and ends, nothing is left in the lanes`() async {
    let reactor = reactor { _, action in .sequential(action % 3) }
    for _ in 0..<20 {
      let receipts = await reactor.sendAll(1...8)
      await reactor.flush()
      reactor.cancel(lane: 0)
      reactor.cancel(lane: 1)
      reactor.cancel(lane: 2)
      for receipt in receipts { await receipt.settled }
    }
    await reactor.flush()
    await reactor.turn { reactor in
      #expect(reactor.pipeline.core.details.lanes.records.isEmpty)
      #expect(reactor.pipeline.core.details.lanes.parked.isEmpty)
      #expect(reactor.pipeline.core.details.lanes.cancellations.isEmpty)
    }
  }

  @Test func `a stop drops what waits, and reports it`() async {
    let reactor = reactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([1, 2, 3])
    await reactor.stop().settled
    for receipt in receipts { await receipt.settled }
    #expect(reactor.started.entries == [1])
    #expect(reactor.reports.problems == ["actionDropped", "actionDropped"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [2, 3])
  }

  @Test func `a cut is forgotten once everything sent before it has been taken`() async {
    let reactor = reactor { _, _ in .concurrent("a") }
    await reactor.turn { reactor in
      reactor.send(1)
      reactor.cancel(lane: "a")
    }
    await reactor.wait { $0.pipeline.core.details.lanes.cancellations.isEmpty }
  }

  @Test func `a reactor without lanes keeps no cancel of one`() async {
    let reactor = ScriptedReactor()
    await reactor.turn { reactor in
      reactor.send(1)
      reactor.cancel(lane: "a")
    }
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 2])
    #expect(await reactor.turn { $0.pipeline.core.details.lanes.cancellations.isEmpty })
  }

  @Test func `an effect off the actor that cancels its own lane cancels itself`() async {
    let reactor = LanedReactor(script: { reactor, action in
      .run { [weak reactor] emit in
        reactor?.cancel(lane: "a")
        await emit(action)
      }
    }) { _, _ in .concurrent("a") }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [])
  }

  @Test func `a cancel from off the actor reaches the action that is being taken`() async {
    let reactor = PlainLaned(
      script: { _, action in .of(action, action + 10) }, lane: { _, _ in .concurrent("a") }
    ) {
      $0.onReduce = { reactor, _ in reactor.cancelFromOutside(lane: "a") }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `what has been cancelled is not reported as evicted as well`() async {
    let reactor = reactor(script: LanedReactor.stubborn) { _, _ in .latest("a") }
    let receipt = reactor.send(1)
    await reactor.flush()
    receipt.cancel()
    reactor.send(2)
    await reactor.flush()
    #expect(reactor.reports.problems == [])
    await reactor.finish(1, 2)
  }

  @Test func `what is cancelled while it waits never starts, although its slot is freed`() async {
    let waiting = Log<ActionReceipt<LanedReactor>>()
    let reactor = LanedReactor(script: { reactor, action in
      .run { _ in
        guard action == 1 else { return reactor.ended.append(action) }
        await reactor.gates[1].pass()
        waiting.entries.first?.cancel()
      }
    }) { _, _ in .sequential("a") }
    reactor.send(1)
    let receipt = reactor.send(2)
    await reactor.flush()
    waiting.append(receipt)
    reactor.gates[1].open()
    await receipt.settled
    #expect(reactor.started.entries == [1])
  }
}
