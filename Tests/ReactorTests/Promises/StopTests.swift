import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// `stop()`: what was sent before is taken, what comes after is refused, and everything ends.
@Suite(.bounded) struct StopTests {
  @Test func `with transform(action:), what was sent to a fresh reactor is taken before stop`()
    async
  {
    for _ in 0..<200 {
      let reactor = ActionHookedReactor(hook: ActionHookedReactor.passing)
      for number in 1...3 { reactor.send(number) }
      await reactor.stop().settled
      #expect(await reactor.currentState == [1, 2, 3])
    }
  }

  @Test func `actions sent before stop are taken, those after are refused`() async {
    let reactor = ScriptedReactor()
    let receipts = await reactor.turn { reactor in
      let before = (1...3).map { reactor.send($0) }
      reactor.stop()
      return before + [reactor.send(4)]
    }
    #expect(receipts.map(\.isRefused) == [false, false, false, true])
    await reactor.stop().settled
    #expect(await reactor.currentState == [1, 2, 3])
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `stop cancels the effects, and waits for their end`() async {
    let gate = Gate()
    let stubborn = Gate()
    let ended = Log<String>()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        try? await gate.wait()
        await emit(action)
        await stubborn.pass()
        ended.append("effect")
      }
    }
    reactor.send(1)
    await gate.reached()
    let stopped = reactor.stop()
    await stubborn.reached()
    #expect(ended.count == 0)
    stubborn.open()
    await stopped.settled
    #expect(ended.entries == ["effect"])
    #expect(await reactor.currentState == [])
    #expect(reactor.reports.count == 0)
  }

  @Test func `a state stream ends with the last state`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(1)
    reactor.send(2)
    reactor.stop()
    #expect(await states.next() == [1])
    #expect(await states.next() == [1, 2])
    #expect(await states.next() == nil)
    #expect(await states.next() == nil)
  }

  @Test func `an observer of the newest sees the last state, then the end`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.buffering(.newest).makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(1)
    await reactor.stop().settled
    #expect(await states.next() == [1])
    #expect(await states.next() == nil)
  }

  @Test func `waiting observers of both kinds receive the end`() async {
    let reactor = ScriptedReactor()
    let seen = Log<Int>()
    await withTaskGroup { group in
      for policy in [StateBuffering.everyState, .newest] {
        group.addTask {
          for await state in reactor.state.buffering(policy) { seen.append(state.count) }
        }
      }
      _ = await seen.entries(upTo: 2)
      reactor.stop()
    }
    #expect(seen.entries == [0, 0])
  }

  @Test func `late observers get the last state, then the end`() async {
    let reactor = ScriptedReactor()
    reactor.send(1)
    await reactor.stop().settled
    #expect(await reactor.state.all() == [[1]])
    #expect(await reactor.state.buffering(.newest).all() == [[1]])
  }

  @Test func `behind transform(state:), late observers get the last state, then the end`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.map { $0 + [0] }) }
    reactor.send(1)
    await reactor.stop().settled
    _ = await reactor.state.all()
    #expect(await reactor.state.all() == [[1, 0]])
    #expect(await reactor.state.buffering(.newest).all() == [[1, 0]])
  }

  @Test func `a hook that merges an endless stream does not keep the states from ending`() async {
    let (endless, continuation) = AsyncStream<[Int]>.makeStream()
    let reactor = StateHookedReactor { _, state in Erased(merge(state, endless)) }
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.stop()
    #expect(await states.next() == nil)
    continuation.finish()
  }

  @Test func `stop twice is harmless, and both receipts settle`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    reactor.send(1)
    await gate.reached()
    let receipts = [reactor.stop(), reactor.stop()]
    for receipt in receipts { await receipt.settled }
    await reactor.stop().settled
    #expect(reactor.reports.count == 0)
  }

  @Test func `a reactor stopped before anything was sent has its initial state`() async {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    #expect(await reactor.currentState == [])
    #expect(await reactor.state.all() == [[]])
  }

  @Test func `stop from reduce lets the turn end, and what was sent before`() async {
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in if mutation == 1 { reactor.stop() } },
      script: { _, action in .of(action, action + 10) })
    await reactor.turn { reactor in
      reactor.send(1)
      reactor.send(2)
    }
    await reactor.stop().settled
    #expect(await reactor.currentState == [1, 11, 2, 12])
  }

  @Test func `with transform(mutation:), actions sent before stop are reduced`() async {
    let reactor = MutationHookedReactor { _, mutation in Erased(mutation.map { $0 * 10 }) }
    await reactor.turn { reactor in
      for action in 1...3 { reactor.send(action) }
      reactor.stop()
    }
    await reactor.stop().settled
    #expect(await reactor.currentState == [10, 20, 30])
  }

  @Test func `a stop receipt settles when the reactor is released`() async {
    let gate = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    reactor?.send(1)
    await gate.reached()
    let receipt = reactor?.stop()
    let released = reactor?.released
    reactor = nil
    await released?.pass()
    gate.open()
    await receipt?.settled
  }
}
