import Reactor
import TestLimits
import TestSupport
import Testing

/// A reactor that is not referenced is released, and ends its effects and streams.
@Suite(.bounded) struct LifetimeTests {
  @Test func `a reactor that was used is released with its last reference`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    let stream = reactor?.state
    let receipt = reactor?.send(1)
    await receipt?.settled
    reactor = nil
    await released?.pass()
    #expect(await stream?.all() == [[1]])
  }

  @Test func `no stream, iterator or observer retains the reactor`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    let seen = Log<[Int]>()
    let observer = observe(reactor?.state, seen)
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    _ = await seen.entries(upTo: 1)
    reactor = nil
    await released?.pass()
    #expect(await states?.next() == nil)
    await observer.value
    #expect(seen.entries == [[]])
  }

  @Test func `states that were not read at release are delivered, then the end`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    reactor?.send(1)
    await reactor?.send(2).settled
    reactor = nil
    await released?.pass()
    #expect(await states?.next() == [1])
    #expect(await states?.next() == [1, 2])
    #expect(await states?.next() == nil)
  }

  @Test func `behind transform(state:), states not read at release are delivered`()
    async
  {
    var reactor: StateHookedReactor? = StateHookedReactor { _, state in
      Erased(state.map { $0 + [0] })
    }
    let released = reactor?.released
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [0])
    reactor?.send(1)
    await reactor?.send(2).settled
    reactor = nil
    await released?.pass()
    #expect(await states?.next() == [1, 0])
    #expect(await states?.next() == [1, 2, 0])
    #expect(await states?.next() == nil)
  }

  @Test func `an effect without self is cancelled at release`() async {
    let gate = Gate()
    let ended = Log<Bool>()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .run { _ in
        try? await gate.wait()
        ended.append(Task.isCancelled)
      }
    }
    let released = reactor?.released
    reactor?.send(1)
    await gate.reached()
    reactor = nil
    await released?.pass()
    #expect(await ended.entries(upTo: 1) == [true])
  }

  @Test func `merged and nested effects are cancelled at release`() async {
    let gate = Gate()
    let ended = Log<Bool>()
    let waiting = MutationStream<Int>.run { _ in
      try? await gate.wait()
      ended.append(Task.isCancelled)
    }
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .merge(waiting, .concat(.just(1), .merge(waiting, waiting)))
    }
    let released = reactor?.released
    reactor?.send(1)
    await gate.reached(by: 3)
    reactor = nil
    await released?.pass()
    #expect(await ended.entries(upTo: 3) == [true, true, true])
  }

  @Test func `an effect with self retains the reactor until it ends (documented)`() async {
    let gate = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        await gate.pass()
        await emit(1)
      }
    }
    let released = reactor?.released
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    reactor?.send(1)
    await gate.reached()
    reactor = nil
    gate.open()
    #expect(await states?.next() == [1])
    await released?.pass()
    #expect(await states?.next() == nil)
  }

  @Test func `what was sent before the release is still taken`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    for action in 1...3 { reactor?.send(action) }
    reactor = nil
    for count in 1...3 { #expect(await states?.next()?.count == count) }
    await released?.pass()
    #expect(await states?.next() == nil)
  }

  @Test func `a stopped reactor is released`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    await reactor?.stop().settled
    reactor = nil
    await released?.pass()
  }

  @Test func `a reactor that was never used is released`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    reactor = nil
    await released?.pass()
  }

  @Test func `a reactor with any hook is released, and its hook with it`() async {
    var action: ActionHookedReactor? = ActionHookedReactor(hook: ActionHookedReactor.passing)
    var mutation: MutationHookedReactor? = MutationHookedReactor(
      hook: MutationHookedReactor.passing)
    var state: StateHookedReactor? = StateHookedReactor(hook: StateHookedReactor.passing)
    let released = [action?.released, mutation?.released, state?.released]
    await action?.send(1).settled
    await mutation?.send(1).settled
    await state?.send(1).settled
    #expect(await state?.state.first { $0 == [1] } == [1])
    (action, mutation, state) = (nil, nil, nil)
    for released in released { await released?.pass() }
  }

  @Test func `an emission after the release is ignored`() async {
    let gate = Gate()
    let isOver = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .run { emit in
        await gate.pass()
        await emit(1)
        isOver.open()
      }
    }
    let released = reactor?.released
    let reports = reactor?.reports
    reactor?.send(1)
    await gate.reached()
    reactor = nil
    await released?.pass()
    gate.open()
    await isOver.pass()
    #expect(reports?.count == 0)
  }

  @Test func `an ended effect retains nothing`() async {
    let released = Gate()
    let reactor = ScriptedReactor { _, _ in holding(Sentinel(released)) }
    let receipt = reactor.send(1)
    await receipt.settled
    await released.pass()
    #expect(await reactor.currentState == [1])
  }

  @Test func `initialState is read once`() async {
    let reads = Log<Int>()
    let reactor = CountingReactor(reads)
    #expect(await reactor.currentState == 1)
    await reactor.send(1).settled
    #expect(await reactor.state.first { _ in true } == 2)
    await reactor.stop().settled
    #expect(await reactor.currentState == 2)
    #expect(reads.count == 1)
  }
}

private final class Sentinel: Sendable {
  let released: Gate
  init(_ released: Gate) { self.released = released }
  deinit { released.open() }
  func touch() {}
}

private func holding(_ sentinel: Sentinel) -> MutationStream<Int> {
  .run { emit in
    await Task { await emit(1) }.value
    sentinel.touch()
  }
}

private func observe(_ stream: StateStream<[Int]>?, _ seen: Log<[Int]>) -> Task<Void, Never> {
  Task {
    guard let stream else { return }
    for await state in stream { seen.append(state) }
  }
}

/// Its initial state is another one each time it is read.
private actor CountingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  var initialState: Int {
    reads.append(0)
    return reads.count
  }
  let pipeline = Pipeline()
  private let reads: Log<Int>

  init(_ reads: Log<Int>) { self.reads = reads }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
