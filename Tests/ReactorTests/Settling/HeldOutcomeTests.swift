import AsyncAlgorithms
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// How actions end that a hook has taken in, and `mutate` has not seen, when the reactor ends.
@Suite(.bounded) struct HeldOutcomeTests {
  @Test func `an action that the action hook holds has not finished`() async {
    let hold = Gate()
    let reactor = ActionHookedReactor(hook: { _, actions in
      Erased(
        actions.map { action in
          await hold.pass()
          return action
        })
    })
    let receipt = reactor.send(1)
    await hold.reached()
    reactor.stop()
    await reactor.stop().settled
    #expect(await receipt.outcome.text == "neverBegun")
    hold.open()
    #expect(await reactor.reports.entries(upTo: 1).map(\.problem.word) == ["actionDropped"])
  }

  @Test func `an action that has left the action hook has finished`() async {
    let hold = Gate()
    let reactor = ActionHookedReactor(hook: { _, actions in
      Erased(
        actions.flatMap { action in [action, action + 1].async }.map { action in
          if action == 2 { await hold.pass() }
          return action
        })
    })
    let receipt = reactor.send(1)
    await hold.reached()
    reactor.stop()
    await reactor.stop().settled
    #expect(await receipt.outcome.text == "finished")
    #expect(await reactor.currentState == [1])
    hold.open()
  }

  @Test func `an action that waits for the turn under way has not finished`() async {
    let holds = (0..<6).map { _ in Gate() }
    let reactor = FullyHookedLaned(
      script: { reactor, action in
        guard action == 1 else { return .just(action) }
        let gate = reactor.orders.gates[1]
        return .run { _ in try await gate.wait() }
      }, lane: { _, action in action < 3 ? .sequential("a") : nil }
    ) {
      $0.shapeMutations = {
        Erased(
          $0.map {
            await holds[$0].pass()
            return $0
          })
      }
    }
    let receipts = await reactor.sendAll(1...4)
    await holds[3].reached()
    // Action 2 gets the slot during the turn of 3, and its own turn comes before that of 4.
    reactor.orders.gates[1].open()
    await receipts[0].settled
    holds[3].open()
    await holds[2].reached()
    await reactor.wait { $0.pipeline.core.details.hooks?.turns.lastFromHook == 3 }
    reactor.stop()
    reactor.stop()
    let outcome = await receipts[3].outcome.text
    #expect(outcome == "neverBegun")
    #expect(reactor.orders.reports.entries.contains { $0.action as? Int == 4 })
    holds[2].open()
  }

  @Test func `an action has not finished if one of two that a hook made never began`() async {
    let reactor = ActionHookedLaned(lane: { _, _ in .sequential("a") }) {
      $0.shapeActions = { Erased($0.flatMap { [$0, $0 + 1].async }) }
    }
    let receipt = reactor.send(1)
    await reactor.orders.gates[1].reached()
    await reactor.wait { !$0.pipeline.core.details.lanes.parked.isEmpty }
    await reactor.stop().settled
    #expect(await receipt.outcome.text == "reactorEnded")
    #expect(reactor.orders.reports.problems == ["actionDropped"])
  }
}
