import Reactor
import TestLimits
import TestSupport
import Testing

/// What is emitted is in the state, and in the state before it is delivered.
@Suite(.bounded) struct ReadYourWritesTests {
  @Test func `after emit, an effect on the reactor reads its own write`() async {
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        for number in 1...3 {
          await emit(number)
          #expect(reactor.currentState == Array(1...number))
        }
      }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `after emit, an effect away from the reactor reads its own write`() async {
    let reactor = ScriptedReactor { reactor, _ in readingBack(weakly: reactor) }
    await reactor.send(0).settled
    #expect(await reactor.currentState == [1, 2, 3])
    #expect(await reactor.lines == ["[1]", "[1, 2]", "[1, 2, 3]"])
  }

  @Test func `a mutation made from what was read builds on it`() async {
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        for _ in 1...3 { await emit((reactor.currentState.last ?? 0) + 1) }
      }
    }
    reactor.send(0)
    await reactor.send(0).settled
    #expect(await reactor.currentState == [1, 2, 3, 4, 5, 6])
  }

  @Test func `with transform(mutation:), an effect reads its own writes`() async {
    let reactor = MutationHookedReactor(hook: { _, mutation in Erased(mutation.map { $0 * 10 }) }) {
      reactor, _ in
      .run { emit in
        for number in 1...3 {
          await emit(number)
          #expect(reactor.currentState == (1...number).map { $0 * 10 })
        }
      }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == [10, 20, 30])
  }

  @Test func `a settled action's mutations are in the state`() async {
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await Task { await emit(action) }.value
        await emit(action + 1)
      }
    }
    for action in [10, 20, 30] {
      await reactor.send(action).settled
      #expect(await reactor.currentState.suffix(2) == [action, action + 1])
    }
  }

  @Test func `a state is in currentState before an observer is given it`() async {
    let reactor = ScriptedReactor()
    let watcher = Task {
      var isCommitted = true
      for await state in reactor.state {
        let current = await reactor.currentState
        isCommitted = isCommitted && current.count >= state.count
        if state.count == 200 { break }
      }
      return isCommitted
    }
    for action in 0..<200 { reactor.send(action) }
    #expect(await watcher.value)
  }

  @Test func `what a child of the effect emits is in the state when it returns`() async {
    let seen = Log<[Int]>()
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        async let child: Void = emit(1)
        await child
        seen.append(reactor.currentState)
      }
    }
    await reactor.send(0).settled
    #expect(seen.entries == [[1]])
  }
}

/// An effect that does not use the reactor's isolation, and reads from outside.
private func readingBack(weakly reactor: ScriptedReactor) -> MutationStream<Int> {
  .run { emit in
    for number in 1...3 {
      await emit(number)
      let state = await reactor.currentState
      await reactor.note("\(state)")
    }
  }
}
