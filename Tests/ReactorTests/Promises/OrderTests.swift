import Reactor
import TestLimits
import TestSupport
import Testing

/// The order in which things happen.
@Suite(.bounded) struct OrderTests {
  @Test func `mutate starts in the order of send, 1 to 1000`() async {
    let taken = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      taken.append(action)
      return .empty
    }
    for action in 1..<1000 { reactor.send(action) }
    await reactor.send(1000).settled
    #expect(taken.entries == Array(1...1000))
  }

  @Test func `sends of several threads keep the order of each`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<500 { reactor.send(sender * 1000 + number) } }
      }
    }
    await reactor.send(-1).settled
    let state = await reactor.currentState
    for sender in 0..<4 {
      let own = state.filter { $0 / 1000 == sender && $0 >= 0 }
      #expect(own == (0..<500).map { sender * 1000 + $0 })
    }
    #expect(state.count == 2001)
  }

  @Test func `a send from an effect waits its turn`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .of(action, action + 1) }
      return .run { emit in
        await emit(1)
        reactor.send(10)
        await emit(2)
        await emit(3)
      }
    }
    await reactor.send(1).settled
    await reactor.send(20).settled
    #expect(await reactor.currentState == [1, 2, 3, 10, 11, 20, 21])
  }

  @Test func `a send from reduce waits its turn, however many mutations`() async {
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in if mutation == 1 { reactor.send(10) } },
      script: { _, action in .of(action, action + 1, action + 2) })
    await reactor.send(1).settled
    await reactor.send(20).settled
    #expect(await reactor.currentState == [1, 2, 3, 10, 11, 12, 20, 21, 22])
  }

  @Test func `a long chain of sends from reduce does not grow the stack`() async {
    let count = TestCounts.rounds(100_000)
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in if mutation < count { reactor.send(mutation + 1) } },
      script: ScriptedReactor.echo)
    reactor.send(1)
    _ = await reactor.state.buffering(.newest).first { $0.count == count }
    #expect(await reactor.currentState == Array(1...count))
  }

  @Test func `a long chain of sends from effects does not grow the stack`() async {
    let count = TestCounts.rounds(100_000)
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        await emit(action)
        if action < count { reactor.send(action + 1) }
      }
    }
    reactor.send(1)
    _ = await reactor.state.buffering(.newest).first { $0.count == count }
    #expect(await reactor.currentState.count == count)
  }

  @Test func `effects overlap: a later action's work ends first`() async throws {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await gate.pass()
        await emit(1)
      }
    }
    let slow = reactor.send(1)
    await reactor.send(2).settled
    #expect(await reactor.currentState == [2])
    gate.open()
    await slow.settled
    #expect(await reactor.currentState == [2, 1])
  }

  @Test func `three sends at once start three effects at once`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
      }
    }
    let receipts = [reactor.send(1), reactor.send(2), reactor.send(3)]
    await gate.reached(by: 3)
    #expect(await reactor.currentState == [])
    gate.open()
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.sorted() == [1, 2, 3])
  }

  @Test func `an effect that only ever emits does not hold up others behind a hook`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      guard action == 0 else { return .just(action) }
      return .run { emit in
        reactor.assertIsolated()
        while !Task.isCancelled { await emit(0) }
      }
    }
    let endless = reactor.send(0)
    await reactor.send(1).settled
    #expect(await reactor.currentState.contains(1))
    endless.cancel()
    await endless.settled
  }
}
