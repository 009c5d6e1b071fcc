import Reactor
import TestLimits
import TestSupport
import Testing

/// What an action emits before its first suspension is reduced within its turn.
@Suite(.bounded) struct RunToCompletionTests {
  private typealias Script = ScriptedReactor.Script

  /// The states after sending 1, whose effect the script gives, and -9, both at once.
  private func reduced(_ script: @escaping Script) async -> [Int] {
    let reactor = ScriptedReactor { reactor, action in
      action == -9 ? .just(-9) : script(reactor, action)
    }
    let first = reactor.send(1)
    await reactor.send(-9).settled
    await first.settled
    return await reactor.currentState
  }

  @Test func `a body that uses self reduces its opening before the next action`() async {
    let state = await reduced { reactor, _ in
      .run { emit in
        for number in 1...3 { await emit(number) }
        reactor.note("ran")
      }
    }
    #expect(state == [1, 2, 3, -9])
  }

  @Test func `a body without self reduces its opening before the next action`() async {
    let state = await reduced { _, _ in
      .run { emit in for number in 1...3 { await emit(number) } }
    }
    #expect(state == [1, 2, 3, -9])
  }

  @Test func `an emission after a suspension does not delay the next action`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await emit(1)
        await gate.pass()
        await emit(2)
      }
    }
    let first = reactor.send(1)
    await reactor.send(9).settled
    gate.open()
    await first.settled
    #expect(await reactor.currentState == [1, 9, 2])
  }

  @Test func `a concatenation without self reduces its opening at once`() async {
    let state = await reduced { _, _ in
      .concat(.just(1), .run { emit in await emit(2) }, .of(3, 4))
    }
    #expect(state == [1, 2, 3, 4, -9])
  }

  @Test func `a concatenation with self reduces its opening at once`() async {
    let state = await reduced { reactor, _ in
      .concat(
        .just(1),
        .run { emit in
          reactor.note("ran")
          await emit(2)
        }, .of(3, 4))
    }
    #expect(state == [1, 2, 3, 4, -9])
  }

  @Test func `merged parts reduce their openings at once, in order`() async {
    let state = await reduced { reactor, _ in
      .merge(
        .run { emit in
          reactor.note("ran")
          await emit(1)
          await emit(2)
        }, .run { emit in await emit(3) }, .of(4, 5))
    }
    #expect(state == [1, 2, 3, 4, 5, -9])
  }

  @Test(arguments: [1, 1023, 1024, 1025, 3000])
  func `a long opening of a body with self is reduced within the turn`(_ count: Int) async {
    let state = await reduced { reactor, _ in
      .run { emit in
        reactor.note("ran")
        for number in 1...count { await emit(number) }
      }
    }
    #expect(state == Array(1...count) + [-9])
  }

  @Test(arguments: [1, 1023, 1024])
  func `a long opening of a body without self is reduced within the turn`(_ count: Int) async {
    let state = await reduced { _, _ in
      .run { emit in for number in 1...count { await emit(number) } }
    }
    #expect(state == Array(1...count) + [-9])
  }

  @Test func `an opening longer than 1024 without self loses nothing and keeps its order`() async {
    let state = await reduced { _, _ in
      .run { emit in for number in 1...3000 { await emit(number) } }
    }
    #expect(state.filter { $0 != -9 } == Array(1...3000))
  }

  @Test func `with transform(mutation:), a body with self has its opening reduced first`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        reactor.assertIsolated()
        for number in 1...3 { await emit(number) }
      }
    }
    let first = reactor.send(1)
    await reactor.send(9).settled
    await first.settled
    #expect(await reactor.currentState == [1, 2, 3, 9])
  }

  @Test func `with transform(mutation:), values at once are reduced before the next action`() async
  {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { _, action in
      .of(action, action + 1, action + 2)
    }
    reactor.send(1)
    await reactor.send(10).settled
    #expect(await reactor.currentState == [1, 2, 3, 10, 11, 12])
  }

  @Test func `with transform(action:), a body with self has its opening reduced first`() async {
    let reactor = ActionHookedReactor(hook: ActionHookedReactor.passing) { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        reactor.assertIsolated()
        for number in 1...3 { await emit(number) }
      }
    }
    let first = reactor.send(1)
    await reactor.send(9).settled
    await first.settled
    #expect(await reactor.currentState == [1, 2, 3, 9])
  }

  @Test func `a merge inside a concatenation starts within the turn`() async {
    let reactor = ScriptedReactor { _, action in
      guard action == 1 else { return .just(action) }
      return .concat(.just(1), .merge(.just(2), .run { emit in await emit(3) }))
    }
    let first = reactor.send(1)
    await reactor.send(9).settled
    await first.settled
    #expect(await reactor.currentState == [1, 2, 3, 9])
  }

  @Test func `with a mutation hook, no action comes amid an effect's opening`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      .run { emit in
        reactor.assertIsolated()
        for part in 0..<3 { await emit(action * 10 + part) }
      }
    }
    let count = TestCounts.rounds(1_000)
    for number in 0..<count { reactor.send(number) }
    await reactor.send(count).settled
    let parts = (0...count).flatMap { number in (0..<3).map { number * 10 + $0 } }
    #expect(await reactor.currentState == parts)
  }
}
