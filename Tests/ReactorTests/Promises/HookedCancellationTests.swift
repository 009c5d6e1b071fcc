import AsyncAlgorithms
import Reactor
import TestSupport
import Testing

/// Where two promises meet: each of these was broken once.
@Suite(.timeLimit(.minutes(5))) struct CornerTests {
  @Test func `cancelling in the middle of values at once silences the rest (promise 10)`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in if mutation == 1 { own.entries.first?.cancel() } },
      script: { _, _ in .of(1, 2, 3) })
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(0)
      own.append(receipt)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `a hook that makes two actions of one: cancelling ends both effects`() async {
    let gate = Gate()
    let reactor = ActionHookedReactor { _, action in
      Erased(action.flatMap { action in [action, action + 1].async })
    } _: { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
      }
    }
    let receipt = reactor.send(1)
    await gate.reached(by: 2)
    receipt.cancel()
    gate.open()
    await receipt.settled
    await reactor.stop().settled
    #expect(await reactor.currentState == [])
  }

  @Test func `a hook that makes two actions of one: stop ends both effects`() async {
    let gate = Gate()
    let ended = Log<Bool>()
    let reactor = ActionHookedReactor { _, action in
      Erased(action.flatMap { action in [action, action + 1].async })
    } _: { _, action in
      .run { emit in
        try? await gate.wait()
        ended.append(Task.isCancelled)
      }
    }
    reactor.send(1)
    await gate.reached(by: 2)
    await reactor.stop().settled
    #expect(ended.entries == [true, true])
  }

  @Test func `an action from elsewhere does not pass for the one in the hook's hands`() async {
    let gate = Gate()
    let reactor = ActionHookedReactor { _, action in
      Erased(Prefixing(base: action, gate: gate))
    }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    gate.open()
    await receipt.settled
    // What is inside a hook is past recalling, and nothing else is taken for it.
    await reactor.stop().settled
    #expect(await reactor.currentState == [100, 1])
  }

  @Test func `the state at the iterator's birth is seen, though the reactor is released`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    #expect(await reactor?.currentState == [])
    var states = reactor?.state.makeAsyncIterator()
    let gone = reactor?.gone
    reactor = nil
    await gone?.pass()
    #expect(await states?.next() == [])
    #expect(await states?.next() == nil)
  }

  @Test func `an observer of the newest sees the last state, though the reactor is released`()
    async
  {
    var reactor: ScriptedReactor? = ScriptedReactor()
    var states = reactor?.state.buffering(.newest).makeAsyncIterator()
    #expect(await states?.next() == [])
    await reactor?.send(1).settled
    let gone = reactor?.gone
    reactor = nil
    await gone?.pass()
    #expect(await states?.next() == [1])
    #expect(await states?.next() == nil)
  }

  @Test func `with both hooks, what was sent before stop and taken is reduced`() async {
    let gate = Gate()
    let reactor = TwoHooksReactor(gate)
    let receipt = reactor.send(1)
    await gate.reached()
    let stopped = reactor.stop()
    // Something of the reactor's own, after which the stop has been seen.
    await reactor.turn { _ in }
    await reactor.turn { _ in }
    gate.open()
    await receipt.settled
    await stopped.settled
    let isReduced = await reactor.currentState == [1]
    #expect(isReduced || reactor.reports.count > 0)
  }
}

/// Says 100 before every element; takes the element from its base first, as `merge` may.
private struct Prefixing<Base: AsyncSequence>: AsyncSequence
where Base.Element == Int, Base.Failure == Never {
  typealias Failure = Never
  let base: Base
  let gate: Gate

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), gate: gate) }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let gate: Gate
    var held: Int?

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if let element = held.take() { return element }
      held = await base.next(isolation: actor)
      guard held != nil else { return nil }
      await gate.pass()
      return 100
    }
  }
}

private actor TwoHooksReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.map { [gate] mutation in
      await gate.pass()
      return mutation
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
