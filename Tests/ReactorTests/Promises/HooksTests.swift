import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// What a hook is given, and what happens where it ends, sends or drops.
@Suite(.bounded) struct HooksTests {
  @Test func `transform(state:) sees the initial state`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.map { $0 + [0] }) }
    #expect(await reactor.state.first { _ in true } == [0])
  }

  @Test func `transform(state:) sees the initial state, however late it is observed`() async {
    let shaped = Log<[Int]>()
    let reactor = StateHookedReactor { _, state in
      Erased(
        state.map { state in
          shaped.append(state)
          return state
        })
    }
    reactor.send(1)
    await reactor.send(2).settled
    #expect(await shaped.entries(upTo: 3) == [[], [1], [1, 2]])
  }

  @Test func `transform(state:) shapes observers, not reduce, not currentState`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.map { $0 + [0] }) }
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [0])
    await reactor.send(1).settled
    await reactor.send(2).settled
    #expect(await states.next() == [1, 0])
    #expect(await states.next() == [1, 2, 0])
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `an action hook that ends is reported, and is bypassed`() async {
    let reactor = ActionHookedReactor { _, action in
      Erased(action.map { $0 * 10 }.prefix(2))
    }
    for action in 1...4 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [10, 20, 3, 4])
    #expect(reactor.reports.problems == ["hookEnded(action)"])
  }

  @Test func `a mutation hook that ends is reported, and is bypassed`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.map { $0 * 10 }.prefix(2))
    }
    for action in 1...4 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [10, 20, 3, 4])
    #expect(reactor.reports.problems == ["hookEnded(mutation)"])
  }

  @Test func `a state hook that ends is reported, and is bypassed`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.map { $0 + [0] }.prefix(2)) }
    var states = reactor.state.makeAsyncIterator()
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await states.next() == [0])
    while let state = await states.next() { if state.count == 3, state.last == 3 { break } }
    #expect(reactor.reports.problems == ["hookEnded(state)"])
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `a hook that ends at once is bypassed from the start`() async {
    let reactor = ActionHookedReactor { _, _ in Erased([Int]().async) }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == ["hookEnded(action)"])
  }

  @Test func `no hook's end is reported at the reactor's end`() async {
    let action = ActionHookedReactor(hook: ActionHookedReactor.passing)
    let mutation = MutationHookedReactor(hook: MutationHookedReactor.passing)
    let state = StateHookedReactor(hook: StateHookedReactor.passing)
    await action.stop().settled
    await mutation.stop().settled
    await state.stop().settled
    _ = await state.state.all()
    #expect(action.reports.problems + mutation.reports.problems + state.reports.problems == [])
  }

  @Test func `an input iterated twice is reported; the second iterator gets no element`() async {
    let action = ActionHookedReactor { _, action in Erased(merge(action, action)) }
    let mutation = MutationHookedReactor { _, mutation in Erased(merge(mutation, mutation)) }
    await action.send(1).settled
    await mutation.send(1).settled
    _ = await action.reports.entries(upTo: 1)
    _ = await mutation.reports.entries(upTo: 1)
    #expect(await action.currentState == [1])
    #expect(await mutation.currentState == [1])
    #expect(action.reports.problems == ["hookInputIteratedTwice(action)"])
    #expect(mutation.reports.problems == ["hookInputIteratedTwice(mutation)"])
  }

  @Test func `send and state while a hook is called do not recurse`() async {
    let action = ActionHookedReactor { reactor, action in
      reactor.send(1)
      _ = reactor.state
      let count = reactor.currentState.count
      return Erased(action.map { $0 * 10 + count })
    }
    #expect(await action.currentState == [])
    await action.send(5).settled
    #expect(await action.currentState == [10, 50])

    let state = StateHookedReactor { reactor, state in
      reactor.send(1)
      _ = reactor.state.makeAsyncIterator()
      #expect(reactor.currentState == [])
      return Erased(state)
    }
    #expect(await state.state.first { $0 == [1] } == [1])
  }

  @Test func `send from inside a hook's work waits its turn`() async {
    let reactor = ActionHookedReactor { reactor, action in
      Erased(
        action.map { [weak reactor] action in
          if action == 1 { reactor?.send(2) }
          return action * 10
        })
    } _: { _, action in
      .of(action, action + 1)
    }
    await reactor.send(1).settled
    await reactor.send(3).settled
    #expect(await reactor.currentState == [10, 11, 20, 21, 30, 31])
  }

  @Test func `transform(action:) may start with an action`() async {
    let reactor = ActionHookedReactor { _, action in Erased(chain([100].async, action)) }
    #expect(await reactor.state.first { !$0.isEmpty } == [100])
    await reactor.send(1).settled
    #expect(await reactor.currentState == [100, 1])
  }

  @Test func `the starting action comes before what was sent first`() async {
    let reactor = ActionHookedReactor { _, action in Erased(chain([100].async, action)) }
    reactor.send(1)
    await reactor.send(2).settled
    #expect(await reactor.currentState == [100, 1, 2])
  }

  @Test func `transform(mutation:) merges an outside stream, which may end`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = MutationHookedReactor { _, mutation in Erased(merge(mutation, outside)) }
    await reactor.send(1).settled
    continuation.yield(100)
    _ = await reactor.state.first { $0 == [1, 100] }
    continuation.finish()
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 100, 2])
    #expect(reactor.reports.count == 0)
  }

  @Test func `elements of an outside stream are reduced without any action`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = MutationHookedReactor { _, mutation in Erased(merge(mutation, outside)) }
    for number in 1...3 { continuation.yield(number) }
    #expect(await reactor.state.first { $0.count == 3 } == [1, 2, 3])
  }

  @Test func `an outside stream that ends at its error does not affect the reactor`() async {
    let (outside, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let quiet = AsyncStream<Int> { continuation in
      let task = Task {
        do {
          for try await element in outside { continuation.yield(element) }
        } catch {}
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    let reactor = MutationHookedReactor { _, mutation in Erased(merge(mutation, quiet)) }
    continuation.yield(7)
    _ = await reactor.state.first { $0 == [7] }
    continuation.finish(throwing: Failure())
    await reactor.send(1).settled
    #expect(await reactor.currentState == [7, 1])
  }

  @Test func `transform(mutation:) may drop mutations without holding up their effect`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.filter { $0 % 2 == 0 })
    } _: { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        for number in 1...4 { await emit(number) }
      }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == [2, 4])
  }

  @Test func `transform(mutation:) may make several of one`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.flatMap { [$0, $0 * 10].async })
    }
    await reactor.send(1).settled
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 10, 2, 20])
  }
}
