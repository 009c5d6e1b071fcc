import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What a stop cuts short, what is open before, and how to stop whatever kind of reactor there is.
@Suite(.bounded) struct AbandonedTests {
  private let clock = ManualClock()

  /// Even actions have the lane "disk", odd ones none.
  private func reactor(
    script: @escaping LanedReactor.Script = LanedReactor.gated
  ) -> LanedReactor {
    LanedReactor(script: script) { _, action in action % 2 == 0 ? .sequential("disk") : nil }
  }

  // MARK: Open

  @Test func `openActions lists actions that run, and those that wait in a lane`() async {
    let reactor = reactor()
    await reactor.sendAll([2, 1, 4])
    await reactor.flush()
    let open = await reactor.openActions
    #expect(open.map { $0.action as? Int } == [2, 1, 4])
    #expect(open.map(\.number.rawValue) == [0, 1, 2])
    #expect(
      open.map(\.status) == [
        .running(lane: "disk"), .running(lane: nil), .waiting(lane: "disk"),
      ])
    #expect(open.allSatisfy { $0.age >= .zero && $0.since != nil })
    await reactor.finish(1, 2, 4)
    await reactor.stop(.drain).settled
    #expect(await reactor.openActions.isEmpty)
  }

  @Test func `an action of several effects is listed once`() async {
    let reactor = reactor { reactor, action in
      let gate = reactor.gates[action]
      return .merge(.run { _ in await gate.pass() }, .run { _ in await gate.pass() })
    }
    let receipt = reactor.send(1)
    await reactor.flush()
    #expect(await reactor.openActions.count == 1)
    reactor.gates[1].open()
    await receipt.settled
  }

  @Test func `a cancelled action is open until its work has ended`() async {
    let reactor = reactor(script: LanedReactor.stubborn)
    let receipt = reactor.send(1)
    await reactor.flush()
    receipt.cancel()
    #expect(await reactor.openActions.map(\.number.rawValue) == [0])
    reactor.gates[1].open()
    await receipt.settled
    #expect(await reactor.openActions.isEmpty)
  }

  @Test func `a reactor without work is idle`() async {
    let seen = Log<Bool>()
    let reactor = reactor { reactor, action in
      seen.append(reactor.isIdle)
      return LanedReactor.gated(reactor, action)
    }
    #expect(await reactor.isIdle)
    let receipt = reactor.send(1)
    _ = await seen.entries(upTo: 1)
    #expect(await !reactor.isIdle)
    reactor.gates[1].open()
    await receipt.settled
    #expect(await reactor.isIdle)
    #expect(seen.entries == [false])
  }

  @Test func `a reactor with actions in its inbox is not idle`() async {
    let reactor = reactor()
    #expect(await reactor.isIdleAfterSending(1) == false)
    await reactor.stop().settled
    #expect(await reactor.isIdle)
  }

  // MARK: Settled

  @Test func `a receipt reports whether it has settled`() async {
    let reactor = reactor()
    let receipt = reactor.send(1)
    #expect(await !receipt.isSettled)
    reactor.gates[1].open()
    await receipt.settled
    #expect(await receipt.isSettled)
  }

  @Test func `of a hundred drains, those that have not ended are known`() async {
    let reactors = (0..<100).map { _ in reactor() }
    for reactor in reactors {
      reactor.send(1)
      await reactor.flush()
    }
    let stopped: [StopReceipt] = reactors.map { $0.stop(.drain) }
    for index in 0..<98 {
      reactors[index].gates[1].open()
      await stopped[index].settled
    }
    #expect(stopped.indices.filter { !stopped[$0].isSettled } == [98, 99])
    for reactor in reactors { reactor.stop() }
    for receipt in stopped { await receipt.settled }
    #expect(stopped.allSatisfy { $0.isSettled })
  }

  // MARK: Abandoned

  @Test func `a stop lists what ran and what waited`() async {
    let reactor = reactor()
    await reactor.sendAll([2, 1, 4])
    let abandoned = await reactor.stop().abandoned.flatMap(\.actions)
    #expect(abandoned.map { $0.action as? Int } == [2, 1, 4])
    #expect(abandoned.map(\.status).last == .waiting(lane: "disk"))
    #expect(abandoned.first?.description.hasPrefix("#0 '2', running in lane 'disk' for ") == true)
  }

  @Test func `an action that was cancelled before the stop is not abandoned`() async {
    let reactor = reactor(script: LanedReactor.stubborn)
    let receipts = await reactor.sendAll([1, 3])
    await reactor.flush()
    receipts[0].cancel()
    #expect(await reactor.stop().abandoned.flatMap(\.actions).map(\.number.rawValue) == [1])
    reactor.gates[1].open()
    reactor.gates[3].open()
  }

  @Test func `a drain that ends by itself abandons nothing`() async {
    let reactor = reactor()
    await reactor.sendAll([2, 4])
    let stopped = reactor.stop(.drain)
    await reactor.finish(2, 4)
    #expect(await stopped.abandoned.isEmpty)
    #expect(stopped.isSettled)
  }

  @Test func `waiting for abandoned work during a drain lasts to its end, also if cancelled`() async
  {
    let reactor = reactor()
    reactor.send(1)
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    let asking = Task { await stopped.abandoned }
    asking.cancel()
    reactor.stop()
    #expect(await asking.value.flatMap(\.actions).map(\.number.rawValue) == [0])
    #expect(await stopped.abandoned.flatMap(\.actions).map(\.number.rawValue) == [0])
  }

  @Test func `the list of a stop remains in its receipt after a restart`() async {
    let reactor = reactor()
    reactor.send(1)
    await reactor.flush()
    let first = reactor.stop()
    await reactor.restart()
    #expect(await first.abandoned.flatMap(\.actions).map(\.number.rawValue) == [0])
    let second = reactor.stop()
    #expect(await second.abandoned.isEmpty)
    #expect(first.isSettled)
  }

  // MARK: Within a time

  @Test func `a drain within its time abandons nothing`() async {
    let reactor = reactor()
    await reactor.sendAll([2, 4])
    reactor.gates[2].open()
    reactor.gates[4].open()
    #expect(await reactor.stop(.drain, within: .steps(1), clock: clock).isEmpty)
    #expect(await reactor.currentState == [2, 4])
  }

  @Test func `when the time is up, a drain returns what it abandons, and does not wait`() async {
    let reactor = reactor(script: LanedReactor.stubborn)
    await reactor.sendAll([2, 4])
    await reactor.flush()
    async let abandoned = reactor.stop(.drain, within: .steps(3), clock: clock)
    await clock.advance(past: 3)
    #expect(await abandoned.flatMap(\.actions).map { $0.action as? Int } == [2, 4])
    #expect(await reactor.openActions.map { $0.action as? Int } == [2])
    reactor.gates[2].open()
    await reactor.stop().settled
    #expect(await reactor.currentState == [])
  }

  @Test func `cancelling the task of a drain ends its time`() async {
    let reactor = reactor()
    reactor.send(1)
    await reactor.flush()
    let draining = Task { [clock] in
      await reactor.stop(.drain, within: .steps(3), clock: clock)
    }
    draining.cancel()
    #expect(await draining.value.flatMap(\.actions).map(\.number.rawValue) == [0])
  }

  // MARK: Any reactor

  @Test func `any reactor can be stopped, drained and queried for open actions`() async {
    let hooked = MutationHookedLaned(lane: { _, _ in nil })
    let reactors: [any Reactor] = [reactor(), hooked, reactor()]
    for reactor in reactors { #expect(await reactor.isIdle) }
    #expect(await reactors[0].openActions.isEmpty)
    await reactors[0].stop().settled
    await reactors[1].stop(.drain).settled
    #expect(await reactors[2].stop(.drain, within: .steps(1), clock: clock).isEmpty)
    let stopped = reactors.map { $0.stop() }
    #expect(stopped.allSatisfy { $0.isSettled })
  }

  // MARK: Many

  @Test(arguments: TestCounts.seeds(upTo: 100))
  func `every action finishes or is abandoned, once`(_ seed: UInt64) async {
    let reactor = LanedReactor(
      gates: 1,
      script: { reactor, action in
        let gate = reactor.gates[0]
        return .run { emit in
          if action % 3 == 0 { try await gate.wait() }
          await emit(action)
        }
      }
    ) { _, action in action % 2 == 0 ? .sequential(action % 8) : nil }
    let accepted = Log<Int>()
    let abandoned = await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            let action = sender * 25 + number
            if !reactor.send(action).isRefused { accepted.append(action) }
          }
        }
      }
      if seed % 2 == 0 { await group.waitForAll() }
      if seed % 5 == 0 { reactor.gates[0].open() }
      return await reactor.stop().abandoned.flatMap(\.actions).compactMap { $0.action as? Int }
    }
    await reactor.stop().settled
    let state = await reactor.currentState
    #expect(Set(state).union(abandoned) == Set(accepted.entries), "REACTOR_SEED=\(seed)")
    #expect(Set(abandoned).count == abandoned.count)
    // An effect may be abandoned between its last mutation and its end; what never started is not.
    #expect(abandoned.filter { $0 % 3 != 0 }.allSatisfy { !state.contains($0) })
  }
}

extension LanedReactor {
  fileprivate func isIdleAfterSending(_ action: Int) -> Bool {
    send(action)
    return isIdle
  }
}
