import AsyncAlgorithms
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Lanes in reactors that have hooks: everything has to be as it is without them.
@Suite(.bounded) struct LaneHookTests {
  // MARK: With every hook

  @Test func `sequential: one at a time, in order`() async {
    await oneAtATime(PlainLaned.self)
    await oneAtATime(ActionHookedLaned.self)
    await oneAtATime(MutationHookedLaned.self)
    await oneAtATime(StateHookedLaned.self)
    await oneAtATime(FullyHookedLaned.self)
  }

  private func oneAtATime<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(lane: { _, _ in .sequential("a") })
    let receipts = await reactor.sendAll(1...3)
    await reactor.flush()
    for action in 1...3 {
      #expect(await reactor.orders.started.entries(upTo: action) == Array(1...action), "\(R.self)")
      reactor.orders.gates[action].open()
      await receipts[action - 1].settled
    }
    #expect(await reactor.currentState == [1, 2, 3], "\(R.self)")
  }

  @Test func `latest: the newest wins, the others are silent and reported`() async {
    await newestWins(PlainLaned.self)
    await newestWins(ActionHookedLaned.self)
    await newestWins(MutationHookedLaned.self)
    await newestWins(StateHookedLaned.self)
    await newestWins(FullyHookedLaned.self)
  }

  private func newestWins<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(lane: { _, _ in .latest("a") })
    let receipts = await reactor.sendAll(1...3)
    await receipts[0].settled
    await receipts[1].settled
    reactor.orders.gates[3].open()
    await receipts[2].settled
    #expect(await reactor.currentState == [3], "\(R.self)")
    #expect(reactor.orders.reports.problems == ["evicted(a)", "evicted(a)"], "\(R.self)")
  }

  @Test func `leading: further actions are dropped and reported, and their receipts settle`() async
  {
    await firstWins(PlainLaned.self)
    await firstWins(ActionHookedLaned.self)
    await firstWins(MutationHookedLaned.self)
    await firstWins(StateHookedLaned.self)
    await firstWins(FullyHookedLaned.self)
  }

  private func firstWins<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(lane: { _, _ in .leading("a") })
    let receipts = await reactor.sendAll(1...3)
    await receipts[1].settled
    await receipts[2].settled
    reactor.orders.gates[1].open()
    await receipts[0].settled
    #expect(await reactor.currentState == [1], "\(R.self)")
    #expect(reactor.orders.reports.problems == ["dropped(a)", "dropped(a)"], "\(R.self)")
  }

  @Test func `debounce: only the newest runs, once the time is up`() async {
    await onlyTheNewestRuns(PlainLaned.self)
    await onlyTheNewestRuns(ActionHookedLaned.self)
    await onlyTheNewestRuns(MutationHookedLaned.self)
    await onlyTheNewestRuns(StateHookedLaned.self)
    await onlyTheNewestRuns(FullyHookedLaned.self)
  }

  private func onlyTheNewestRuns<R: LanedTestReactor>(_: R.Type) async {
    let clock = ManualClock()
    let reactor = R(
      script: { _, action in .just(action) },
      lane: { _, _ in .concurrent("a").debounced(for: .steps(1), clock: clock) })
    let receipts = await reactor.sendAll(1...3)
    await receipts[1].settled
    // The time begins anew after that, in the same turn.
    await reactor.flush()
    await clock.advance(past: 1)
    await receipts[2].settled
    #expect(await reactor.currentState == [3], "\(R.self)")
  }

  @Test func `a stop drops what waits, and reports it once`() async {
    await waitersAreDropped(PlainLaned.self)
    await waitersAreDropped(ActionHookedLaned.self)
    await waitersAreDropped(MutationHookedLaned.self)
    await waitersAreDropped(StateHookedLaned.self)
    await waitersAreDropped(FullyHookedLaned.self)
  }

  private func waitersAreDropped<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(lane: { _, _ in .sequential("a") })
    let receipts = await reactor.sendAll(1...3)
    await reactor.stop().settled
    for receipt in receipts { await receipt.settled }
    #expect(reactor.orders.started.entries == [1], "\(R.self)")
    #expect(reactor.orders.reports.entries.map { $0.action as? Int } == [2, 3], "\(R.self)")
  }

  @Test func `an action with a higher limit starts, with those that waited`() async {
    await allStart(PlainLaned.self)
    await allStart(ActionHookedLaned.self)
    await allStart(MutationHookedLaned.self)
    await allStart(StateHookedLaned.self)
    await allStart(FullyHookedLaned.self)
  }

  private func allStart<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(lane: { _, action in .concurrent("a", atMost: action == 3 ? 3 : 1) })
    await reactor.sendAll(1...3)
    #expect(await reactor.orders.started.entries(upTo: 3) == [1, 2, 3], "\(R.self)")
    await reactor.stop().settled
  }

  // MARK: With hooks over actions and mutations

  /// Actions 1 and 2 wait at their gates, in one lane; the mutation of action 3 waits in the hook.
  private func holding(_ hold: Gate) -> FullyHookedLaned {
    FullyHookedLaned(
      script: { reactor, action in
        if action == 3 { return .just(3) }
        let gate = reactor.orders.gates[action]
        return .run { _ in try await gate.wait() }
      }, lane: { _, action in action == 3 ? nil : .sequential("a") }
    ) {
      $0.shapeMutations = {
        Erased(
          $0.map {
            await hold.pass()
            return $0
          })
      }
    }
  }

  @Test func `a slot that is freed during a turn is used after it`() async {
    let hold = Gate()
    let reactor = holding(hold)
    let receipts = await reactor.sendAll(1...3)
    await hold.reached()
    reactor.orders.gates[1].open()
    await receipts[0].settled
    hold.open()
    #expect(await reactor.orders.started.entries(upTo: 3) == [1, 3, 2])
    reactor.orders.gates[2].open()
  }

  @Test func `what waits for the turn under way can be cancelled`() async {
    let hold = Gate()
    let reactor = holding(hold)
    let receipts = await reactor.sendAll(1...3)
    await hold.reached()
    await reactor.update(.concurrent("a"))
    await reactor.wait { !$0.pipeline.core.details.waitingTurns.isEmpty }
    receipts[1].cancel()
    reactor.orders.gates[2].open()
    hold.open()
    await receipts[1].settled
    await receipts[2].settled
    #expect(reactor.orders.started.entries == [1, 3])
    reactor.orders.gates[1].open()
  }

  @Test func `what waits for a turn when the reactor ends settles as well`() async {
    let holds = (0..<6).map { _ in Gate() }
    let reactor = FullyHookedLaned(
      script: { reactor, action in
        guard action == 1 else { return .just(action) }
        let gate = reactor.orders.gates[1]
        return .run { _ in try await gate.wait() }
      }, lane: { _, action in action < 3 ? .sequential("a") : nil }
    ) {
      $0.shapeActions = { Erased($0.flatMap { ($0 == 4 ? [4, 5] : [$0]).async }) }
      $0.shapeMutations = {
        Erased(
          $0.map {
            await holds[$0].pass()
            return $0
          })
      }
    }
    let receipts = await reactor.sendAll([1, 2, 4])
    await holds[4].reached()
    // Action 2 gets the slot during the turn of 4, and its own turn comes before that of 5.
    reactor.orders.gates[1].open()
    await reactor.wait { $0.pipeline.core.details.lanes.hasReady }
    holds[4].open()
    await holds[2].reached()
    await reactor.wait { !$0.pipeline.core.ledger.furtherActions(of: 2).isEmpty }
    reactor.stop()
    reactor.stop()
    await receipts[2].settled
    holds[2].open()
  }

  // MARK: With a hook over mutations

  @Test func `a cancel from an effect reaches the action whose turn is under way`() async {
    let hold = Gate()
    let reactor = MutationHookedLaned(
      script: { reactor, action in
        if action == 2 { return .of(20, 21) }
        return .run { _ in
          await reactor.orders.gates[1].pass()
          reactor.cancel(lane: "a")
          hold.open()
        }
      }, lane: { _, action in action == 1 ? nil : .sequential("a") }
    ) {
      $0.shapeMutations = {
        Erased(
          $0.map {
            await hold.pass()
            return $0
          })
      }
    }
    let receipts = await reactor.sendAll(1...2)
    await hold.reached()
    reactor.orders.gates[1].open()
    await receipts[1].settled
    // What is inside the hook is past recalling.
    #expect(await reactor.currentState == [20])
  }

  @Test func `an effect that cancels its own lane after it has emitted cancels itself`() async {
    let reactor = MutationHookedLaned(
      script: { reactor, _ in
        .run { emit in
          await emit(1)
          reactor.cancel(lane: "a")
          await emit(2)
        }
      }, lane: { _, _ in .sequential("a") })
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
  }

  // MARK: With a hook that makes actions

  @Test func `a cancel in mutate spares the action itself, also one that a hook made`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = ActionHookedLaned(
      script: { reactor, action in
        guard action == 9 else { return LaneOrders.gated(reactor, action) }
        reactor.cancel(lane: "a")
        return .of(9, 9)
      }, lane: { _, _ in .concurrent("a") }
    ) {
      $0.shapeActions = { Erased(merge($0, outside)) }
    }
    reactor.send(1)
    await reactor.flush()
    continuation.yield(9)
    _ = await reactor.orders.started.entries(upTo: 2)
    #expect(await reactor.currentState == [9, 9])
    continuation.finish()
  }

  @Test func `a cancelled action that a hook made leaves nothing behind`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = ActionHookedLaned(lane: { _, _ in .concurrent("a") }) {
      $0.shapeActions = { Erased(merge($0, outside)) }
    }
    await reactor.flush()
    continuation.yield(1)
    _ = await reactor.orders.started.entries(upTo: 1)
    reactor.cancel(lane: "a")
    await reactor.wait { $0.pipeline.core.details.lanes.records.isEmpty }
    #expect(await reactor.turn { $0.pipeline.core.details.skipped.isEmpty })
    continuation.finish()
  }

  @Test func `two actions that a hook made of one count as two in a lane`() async {
    let chosen = Log<Int>()
    let reactor = ActionHookedLaned(lane: { _, action in
      chosen.append(action)
      return .sequential("a")
    }) {
      $0.shapeActions = { Erased($0.flatMap { [$0, $0 + 1, $0 + 2].async }) }
    }
    let receipt = reactor.send(1)
    _ = await chosen.entries(upTo: 3)
    for gate in reactor.orders.gates { gate.open() }
    await receipt.settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `cancelling ends all actions that a hook made of one, also one that waits`() async {
    let chosen = Log<Int>()
    let reactor = ActionHookedLaned(lane: { _, action in
      chosen.append(action)
      return .concurrent("a", atMost: 2)
    }) {
      $0.shapeActions = { Erased($0.flatMap { [$0, $0 + 1, $0 + 2].async }) }
    }
    let receipt = reactor.send(1)
    _ = await chosen.entries(upTo: 3)
    receipt.cancel()
    await receipt.settled
    #expect(reactor.orders.started.entries == [1, 2])
    #expect(await reactor.currentState == [])
  }

  @Test func `a cancel that finds no action in the hook is not remembered`() async {
    let reactor = ActionHookedLaned(lane: { _, _ in .concurrent("a") })
    await reactor.flush()
    await reactor.turn { $0.cancel(lane: "a") }
    #expect(await reactor.turn { $0.pipeline.core.details.lanes.cancellations.isEmpty })
  }
}
