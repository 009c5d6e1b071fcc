import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// An effect that says no: an outcome, and no report.
@Suite(.bounded) struct ExpectedErrorTests {
  private enum Refusal: ExpectedError { case soldOut }

  private struct Wrapped: Error { let refusal: Refusal }

  @Test(arguments: [false, true])
  func `an expected error is the outcome, and is not reported`(suspends: Bool) async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        if suspends { await gate.pass() }
        await emit(action)
        throw Refusal.soldOut
      }
    }
    let receipt = reactor.send(1)
    gate.open()
    guard case .failed(Refusal.soldOut) = await receipt.outcome else {
      Issue.record("not refused")
      return
    }
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == [])
  }

  @Test func `parts of one action may throw expected errors`() async {
    let reactor = ScriptedReactor { _, action in
      .merge(.run { _ in throw Refusal.soldOut }, .run { emit in await emit(action) })
    }
    #expect(await reactor.outcome(of: 1).text == "failed")
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == [])
  }

  @Test func `an expected error inside another error is reported`() async {
    let reactor = ScriptedReactor { _, _ in
      .run { _ in throw Wrapped(refusal: .soldOut) }
    }
    #expect(await reactor.outcome(of: 1).text == "failed")
    #expect(reactor.reports.problems == ["effectFailed"])
  }
}
