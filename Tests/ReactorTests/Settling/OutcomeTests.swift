import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What `receipt.outcome` and `outcome(of:)` tell, for every way to end.
@Suite(.bounded) struct OutcomeTests {
  /// Odd actions fail once their gate is open, even ones emit.
  private static let script: LanedReactor.Script = { reactor, action in
    let gate = reactor.gates[action]
    return .run { emit in
      try await gate.wait()
      if action % 2 == 1 { throw Failure(number: action) }
      await emit(action)
    }
  }

  private func reactor(
    gates: Int = 10, _ lane: @escaping LanedReactor.Choose = { _, _ in nil }
  ) -> LanedReactor {
    LanedReactor(gates: gates, script: Self.script, lane: lane)
  }

  @Test func `an effect that ends has finished`() async {
    let reactor = reactor()
    let receipt = reactor.send(2)
    reactor.gates[2].open()
    #expect(await receipt.outcome.isFinished)
    #expect(await receipt.outcome.isFinished)
    #expect(await reactor.currentState == [2])
  }

  @Test func `an effect that throws has failed, with its error`() async {
    let reactor = reactor()
    let receipt = reactor.send(3)
    reactor.gates[3].open()
    for _ in 0..<2 {
      guard case .failed(let error as Failure) = await receipt.outcome else {
        Issue.record("not failed")
        return
      }
      #expect(error == Failure(number: 3))
    }
  }

  @Test func `an effect that throws before it suspends has failed`() async {
    let reactor = LanedReactor(script: { _, action in
      .run { _ in throw Failure(number: action) }
    }) { _, _ in nil }
    #expect(await reactor.send(1).outcome.text == "failed")
  }

  @Test func `of several parts, the first that did not finish counts`() async {
    let reactor = LanedReactor(script: { reactor, action in
      let gate = reactor.gates[action]
      return .merge(
        .run { _ in throw Failure(number: 1) },
        .run { emit in
          try await gate.wait()
          await emit(7)
        })
    }) { _, _ in nil }
    let receipt = reactor.send(1)
    await reactor.flush()
    #expect(await !receipt.isSettled)
    reactor.gates[1].open()
    #expect(await receipt.outcome.text == "failed")
    #expect(await reactor.currentState == [7])
  }

  @Test func `a cancelled effect is cancelled, also if it ignores the cancellation`() async {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in nil }
    let receipt = reactor.send(1)
    await reactor.flush()
    receipt.cancel()
    await reactor.finish(1)
    #expect(await receipt.outcome.text == "cancelled")
  }

  @Test func `an action cancelled before it was taken is cancelled`() async {
    let reactor = reactor()
    let receipt = await reactor.sendAndCancel(2)
    #expect(await receipt.outcome.text == "cancelled")
    #expect(reactor.started.entries == [])
  }

  @Test func `what has finished is not cancelled any more`() async {
    let reactor = LanedReactor(script: LanedReactor.echo) { _, _ in nil }
    let receipt = reactor.send(2)
    await receipt.settled
    receipt.cancel()
    await reactor.flush()
    #expect(await receipt.outcome.isFinished)
  }

  @Test func `a leading lane drops an action`() async {
    let reactor = reactor { _, _ in .leading("a") }
    let receipts = await reactor.sendAll([2, 4])
    #expect(await receipts[1].outcome.text == "dropped(a)")
    reactor.gates[2].open()
    #expect(await receipts[0].outcome.isFinished)
  }

  @Test func `a latest lane evicts an action`() async {
    let reactor = reactor { _, _ in .latest("a") }
    let receipts = await reactor.sendAll([2, 4])
    #expect(await receipts[0].outcome.text == "evicted(a)")
    reactor.gates[4].open()
    #expect(await receipts[1].outcome.isFinished)
  }

  @Test func `a debounce supersedes an action`() async {
    let clock = ManualClock()
    let reactor = reactor { _, _ in .concurrent("a").debounced(for: .steps(1), clock: clock) }
    let receipts = await reactor.sendAll([2, 4])
    #expect(await receipts[0].outcome.text == "superseded(a)")
    reactor.cancel(lane: "a")
    #expect(await receipts[1].outcome.text == "cancelled")
  }

  @Test func `a stopped reactor refuses an action`() async {
    let reactor = reactor()
    await reactor.stop().settled
    let receipt = reactor.send(2)
    #expect(receipt.refusal == .stopped)
    #expect(await receipt.outcome.text == "refused(stopped)")
    #expect(await reactor.outcome(of: 2).text == "refused(stopped)")
    #expect(reactor.sendTracked(2).refusal == .stopped)
  }

  @Test func `a full inbox refuses an action`() async {
    let reactor = LanedReactor(inboxLimit: 1) { _, _ in nil }
    let receipts = await reactor.sendAll([2, 4])
    #expect(receipts[1].refusal == .inboxFull)
    #expect(await receipts[1].outcome.text == "refused(inboxFull)")
    await reactor.stop().settled
  }

  @Test func `a stop ends what runs and what waits`() async {
    let reactor = reactor { _, _ in .sequential("a") }
    let receipts = await reactor.sendAll([2, 4])
    reactor.stop()
    #expect(await receipts[0].outcome.text == "reactorEnded")
    #expect(await receipts[1].outcome.text == "neverBegun")
  }

  @Test func `what a reactor had not begun when it was released was never begun`() async {
    var reactor: LanedReactor? = reactor { _, _ in .sequential("a") }
    let receipts = await reactor?.sendAll([2, 4])
    await reactor?.flush()
    reactor = nil
    #expect(await receipts?[0].outcome.text == "reactorEnded")
    #expect(await receipts?[1].outcome.text == "neverBegun")
  }

  @Test func `a reactor that is released ends what runs`() async {
    var reactor: LanedReactor? = reactor()
    let receipt = reactor?.send(2)
    await reactor?.flush()
    let asking = Task { await receipt?.outcome }
    reactor = nil
    #expect(await asking.value?.text == "reactorEnded")
    #expect(await receipt?.outcome.text == "reactorEnded")
  }

  @Test func `of a released reactor, what it had finished has finished`() async {
    var reactor: LanedReactor? = LanedReactor(script: LanedReactor.echo) { _, _ in nil }
    let receipt = reactor?.send(2)
    await receipt?.settled
    let released = reactor?.released
    reactor = nil
    await released?.pass()
    #expect(await receipt?.outcome.isFinished == true)
  }

  @Test func `a cancelled waiter gets the outcome that the work is open`() async {
    let reactor = reactor()
    let receipt = reactor.send(2)
    await reactor.flush()
    let asking = Task { await receipt.outcome }
    asking.cancel()
    #expect(await asking.value.text == "open")
    reactor.gates[2].open()
    #expect(await receipt.outcome.isFinished)
  }

  @Test func `cancelling outcome(of:) cancels the action`() async {
    let reactor = reactor()
    let asking = Task { await reactor.outcome(of: 2) }
    await reactor.gates[2].reached()
    asking.cancel()
    #expect(await asking.value.text == "cancelled")
    await reactor.flush()
    #expect(await reactor.currentState == [])
  }

  // MARK: Late

  @Test func `an outcome is stored until sixteen others have followed`() async {
    let reactor = reactor(gates: 40) { _, action in action == 2 ? nil : .leading("a") }
    let failed = reactor.send(3)
    reactor.gates[3].open()
    await failed.settled
    let busy = reactor.send(4)
    let finished = reactor.send(2)
    reactor.gates[2].open()
    await finished.settled
    for _ in 0..<15 { await reactor.send(6).settled }
    #expect(await failed.outcome.text == "failed")
    await reactor.send(6).settled
    #expect(await failed.outcome.text == "forgotten")
    #expect(await finished.outcome.isFinished)
    reactor.gates[4].open()
    #expect(await busy.outcome.isFinished)
  }

  @Test func `a waiter from before the end gets the outcome, however many have ended since`() async
  {
    let reactor = reactor(gates: 40) { _, action in action < 4 ? nil : .leading("a") }
    let failing = reactor.send(3)
    // It has asked before it first suspends.
    let asking = Task.immediate { await failing.outcome }
    reactor.send(4)
    for _ in 0..<40 { await reactor.send(6).settled }
    reactor.gates[3].open()
    for _ in 0..<40 { await reactor.send(6).settled }
    #expect(await asking.value.text == "failed")
    await reactor.stop().settled
  }

  @Test func `an outcome is not forgotten while other work of the action goes on`() async {
    let reactor = LanedReactor(
      gates: 4,
      script: { reactor, action in
        let gate = reactor.gates[action]
        guard action == 1 else { return .run { _ in await gate.pass() } }
        return .merge(.run { _ in throw Failure() }, .run { _ in await gate.pass() })
      }
    ) { _, action in action == 1 ? nil : .leading("a") }
    let receipt = reactor.send(1)
    reactor.send(2)
    for _ in 0..<40 { await reactor.send(3).settled }
    reactor.gates[1].open()
    #expect(await receipt.outcome.text == "failed")
    reactor.gates[2].open()
  }

  @Test func `nothing is stored where everything finishes and every outcome has been read`() async {
    let reactor = LanedReactor(script: LanedReactor.echo) { _, _ in nil }
    for _ in 0..<100 { #expect(await reactor.outcome(of: 2).isFinished) }
    #expect(
      reactor.pipeline.core.ledger.contents.withLock { contents in
        contents.machine == WorkMachine() && contents.ends.isEmpty
      })
  }

  // MARK: Many

  @Test func `with outcome(of:), every outcome of an overload is exact`() async {
    let reactor = LanedReactor(
      gates: 1,
      script: { reactor, _ in
        let gate = reactor.gates[0]
        return .run { emit in
          await gate.pass()
          await emit(1)
        }
      }
    ) { _, _ in .sequential("a", waitingLimit: 20) }
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await withTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { await reactor.outcome(of: 0).text } }
            var texts = ""
            for await text in group { texts += text + " " }
            return texts
          }
        }
      }
      _ = await reactor.reports.entries(upTo: 379)
      reactor.gates[0].open()
      var all: [Substring] = []
      for await texts in group { all += texts.split(separator: " ") }
      return all
    }
    let finished = outcomes.count { $0 == "finished" }
    #expect(finished + outcomes.count { $0 == "refused(laneFull(a))" } == 400)
    #expect(await reactor.currentState.count == finished)
  }
}

extension ActionOutcome {
  /// A short word, to compare.
  var text: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .dropped(let lane): "dropped(\(lane))"
    case .superseded(let lane): "superseded(\(lane))"
    case .evicted(let lane): "evicted(\(lane))"
    case .droppedByMiddleware(let reason): "droppedByMiddleware(\(reason))"
    case .refused(.laneFull(let lane)): "refused(laneFull(\(lane)))"
    case .refused(let why): "refused(\(why))"
    case .neverBegun: "neverBegun"
    case .reactorEnded: "reactorEnded"
    case .open: "open"
    case .forgotten: "forgotten"
    case .released, .timedOut, .cycle: "\(self), of an ask"
    }
  }
}

extension LanedReactor {
  fileprivate func sendAndCancel(_ action: Int) -> ActionReceipt<LanedReactor> {
    let receipt = send(action)
    receipt.cancel()
    return receipt
  }
}
