import AsyncAlgorithms
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A lane's queue with a limit: which actions are refused or dropped, and how that is reported.
@Suite(.bounded) struct LaneLimitTests {
  private func reactor(
    _ rules: Lane = .sequential("disk", waitingLimit: 2),
    script: @escaping LanedReactor.Script = LanedReactor.gated
  ) -> LanedReactor {
    LanedReactor(gates: 20, script: script) { _, _ in rules }
  }

  @Test func `a full lane refuses a further action, and reports it`() async {
    let reactor = reactor()
    let receipts = await reactor.sendAll(1...4)
    await reactor.flush()
    #expect(reactor.reports.problems == ["laneFull(disk)"])
    #expect(reactor.reports.entries.first?.action as? Int == 4)
    #expect(reactor.reports.entries.first?.isRoutine == false)
    await reactor.finish(1, 2, 3)
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `the receipt has the name of the full lane once it has settled`() async {
    let reactor = reactor()
    let receipts = await reactor.sendAll(1...4)
    await receipts[3].settled
    #expect(receipts[3].refusal == .laneFull("disk"))
    #expect(!receipts[3].isRefused)
    #expect(receipts.prefix(3).allSatisfy { $0.refusal == nil })
    await reactor.finish(1, 2, 3)
  }

  @Test func `the outcome has the name of the full lane`() async {
    let reactor = reactor()
    let receipts = await reactor.sendAll(1...4)
    guard case .refused(.laneFull("disk")) = await receipts[3].outcome else {
      Issue.record("not refused")
      return
    }
    await reactor.finish(1, 2, 3)
    #expect(await receipts[2].outcome.isFinished)
  }

  @Test func `a full lane may drop the action that has waited longest`() async {
    let reactor = reactor(.sequential("disk", waitingLimit: 2, dropsOldest: true))
    let receipts = await reactor.sendAll(1...4)
    guard case .superseded("disk") = await receipts[1].outcome else {
      Issue.record("not superseded")
      return
    }
    #expect(reactor.reports.problems == ["superseded(disk)"])
    await reactor.finish(1, 3, 4)
    await receipts[3].settled
    #expect(await reactor.currentState == [1, 3, 4])
  }

  @Test func `what leaves no work behind is never refused in an idle lane`() async {
    let reactor = reactor(script: LanedReactor.echo)
    for receipt in await reactor.sendAll(0..<15) { await receipt.settled }
    #expect(await reactor.currentState == Array(0..<15))
    #expect(reactor.reports.problems == [])
  }

  @Test func `the limit holds for two thousand actions sent at once`() async {
    let reactor = LanedReactor(gates: 1, script: { reactor, _ in LanedReactor.gated(reactor, 0) }) {
      _, _ in .sequential("disk", waitingLimit: 10)
    }
    let receipts = (0..<2000).map { reactor.send($0) }
    await reactor.flush()
    #expect(await reactor.depth(ofLane: "disk") == LaneDepth(running: 1, waiting: 10))
    #expect(reactor.reports.count == 1989)
    reactor.gates[0].open()
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.count == 11)
  }

  @Test func `behind an inbox of ten no more than ten wait in a lane of ten`() async {
    let reactor = LanedReactor(
      gates: 1, inboxLimit: 10, suspendsSenders: true,
      script: { reactor, _ in LanedReactor.gated(reactor, 0) }
    ) { _, _ in .sequential("disk", waitingLimit: 10) }
    var receipts: [ActionReceipt<LanedReactor>] = []
    for action in 0..<2000 { receipts.append(await reactor.sendWhenRoom(action)) }
    await reactor.flush()
    #expect(await reactor.depth(ofLane: "disk") == LaneDepth(running: 1, waiting: 10))
    #expect(reactor.reports.count == 1989)
    reactor.gates[0].open()
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.count == 11)
  }

  @Test func `a place that a cancel leaves is free at once`() async {
    let reactor = reactor(.sequential("disk", waitingLimit: 1))
    let receipts = await reactor.sendAll(1...2)
    await reactor.flush()
    receipts[1].cancel()
    let later = reactor.send(3)
    await reactor.flush()
    #expect(reactor.reports.problems == [])
    await reactor.finish(1, 3)
    #expect(await later.outcome.isFinished)
    guard case .cancelled = await receipts[1].outcome else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test func `a cancelled lane has free slots again`() async {
    let reactor = reactor(.sequential("disk", waitingLimit: 1))
    await reactor.sendAll(1...2)
    await reactor.flush()
    reactor.cancel(lane: "disk")
    // A cancelled action keeps its slot until it has ended; the queue is empty at once.
    let later = reactor.send(3)
    reactor.gates[3].open()
    #expect(await later.outcome.isFinished)
    #expect(reactor.reports.problems == [])
  }

  @Test func `a lower limit keeps the actions that wait`() async {
    let reactor = reactor(.sequential("disk", waitingLimit: 3))
    await reactor.sendAll(1...4)
    await reactor.flush()
    await reactor.update(.sequential("disk", waitingLimit: 1))
    #expect(await reactor.depth(ofLane: "disk").waiting == 3)
    #expect(reactor.reports.problems == [])
    await reactor.finish(1, 2, 3, 4)
  }

  @Test func `a lower limit drops the oldest with a policy that drops them`() async {
    let reactor = reactor(.sequential("disk", waitingLimit: 3, dropsOldest: true))
    let receipts = await reactor.sendAll(1...4)
    await reactor.flush()
    await reactor.update(.sequential("disk", waitingLimit: 1, dropsOldest: true))
    #expect(reactor.reports.entries.map { $0.action as? Int } == [2, 3])
    await receipts[1].settled
    await reactor.finish(1, 4)
    #expect(await receipts[3].outcome.isFinished)
  }

  @Test func `what a debounce has held may find the queue full`() async {
    let clock = ManualClock()
    let plain = Lane.sequential("disk", waitingLimit: 1)
    let reactor = LanedReactor { _, action in
      action < 3 ? plain : plain.debounced(for: .steps(1), clock: clock)
    }
    let receipts = await reactor.sendAll(1...3)
    await reactor.flush()
    await clock.advance(past: 1)
    await receipts[2].settled
    #expect(receipts[2].refusal == .laneFull("disk"))
    await reactor.finish(1, 2)
  }

  @Test func `of an action that a hook makes two of, one may be refused`() async {
    let reactor = ActionHookedLaned(lane: { _, _ in
      .sequential("disk", waitingLimit: 1)
    }) { orders in
      orders.shapeActions = { actions in
        Erased(actions.flatMap { [$0, $0, $0].async })
      }
    }
    let receipt = reactor.send(1)
    await reactor.orders.gates[1].reached()
    _ = await reactor.orders.reports.entries(upTo: 1)
    reactor.orders.gates[1].open()
    guard case .refused(.laneFull("disk")) = await receipt.outcome else {
      Issue.record("not refused")
      return
    }
    #expect(await reactor.currentState == [1, 1])
  }

  @Test func `the depth of the inbox is what has been sent and not taken`() async {
    let reactor = reactor()
    let depths = await reactor.depthsAround { _ = $0.sendAll(1...3) }
    #expect(depths == [0, 3])
    await reactor.flush()
    #expect(await reactor.inboxDepth == 0)
    #expect(await reactor.laneDepths == ["disk": LaneDepth(running: 1, waiting: 2)])
    await reactor.finish(1, 2, 3)
    // The last effect has said that it has ended, but its lane need not know yet.
    await reactor.wait { $0.laneDepths.isEmpty }
  }
}

extension LanedReactor {
  fileprivate func depthsAround(_ body: @Sendable (isolated LanedReactor) -> Void) -> [Int] {
    let before = inboxDepth
    body(self)
    return [before, inboxDepth]
  }
}
