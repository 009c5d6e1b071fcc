import Reactor
import TestLimits
import TestSupport
import Testing

/// Adds up; odd amounts have low priority.
private actor BatchedReactor: Reactor {
  struct Mutation: PrioritizedNotification {
    let amount: Int
    var isLowPriority: Bool { amount % 2 != 0 }
  }

  enum Action: PrioritizedNotification {
    case add(Int), together([Int]), hold(Int), quiet(Int)
    var isLowPriority: Bool { if case .quiet = self { true } else { false } }
  }

  let initialState = 0
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let amount), .quiet(let amount): .just(Mutation(amount: amount))
    case .together(let amounts): .of(amounts.map { Mutation(amount: $0) })
    case .hold(let amount):
      .run { emit in
        await self.gate.pass()
        await emit(Mutation(amount: amount))
      }
    }
  }

  func reduce(state: inout Int, mutation: Mutation) { state += mutation.amount }
}

@Suite(.bounded) struct BatchedStatesTests {
  private let gate = Gate()
  private let clock = ManualClock()
  private let reactor: BatchedReactor
  private let states: StateStream<Int>

  init() {
    reactor = BatchedReactor(gate)
    states = reactor.state(batching: .interval(.steps(5), clock: clock))
  }

  @Test func `states of low priority come when the interval is over, not before`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for _ in 1...3 { await reactor.send(.add(1)).settled }
    #expect(await reactor.currentState == 3)
    var (last, count) = (0, 0)
    while last < 3 {
      // How many of the states the stream has by now depends on its task.
      count += 1
      await clock.advance(past: 5 * count)
      last = await iterator.next() ?? 3
    }
    #expect(last == 3)
    #expect(clock.ends.count == count)
  }

  @Test func `a state of normal priority comes at once, and ends the batch`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.add(1)).settled
    _ = await clock.sleeps.entries(upTo: 1)
    await reactor.send(.add(2)).settled
    #expect(await iterator.next() == 3)
    _ = await clock.ends.entries(upTo: 1)  // cancelled, by the state of normal priority
    await reactor.send(.add(4)).settled
    #expect(await iterator.next() == 7)
    #expect(clock.sleeps.count == 1)
  }

  @Test func `each state of normal priority is delivered`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.together([2, 2, 2])).settled
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == 4)
    #expect(await iterator.next() == 6)
  }

  @Test func `an action can be marked as well, or a closure decides`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.quiet(2)).settled
    _ = await clock.sleeps.entries(upTo: 1)
    var others = reactor.state(batching: .interval(.steps(5), clock: clock)) { mutation, _ in
      mutation.amount > 10
    }.makeAsyncIterator()
    #expect(await others.next() == 2)
    await reactor.send(.add(1)).settled
    #expect(await others.next() == 3)
    await reactor.send(.add(20)).settled
    #expect(await iterator.next() == 23)
    await clock.advance(past: 5)
    #expect(await others.next() == 23)
  }

  @Test func `the last state is delivered, then the stream ends`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.add(1)).settled
    await reactor.stop().settled
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == nil)
  }

  @Test func `a later subscriber ends the batch, and begins with the newest state`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.add(1)).settled
    _ = await clock.sleeps.entries(upTo: 1)
    var later = states.makeAsyncIterator()
    #expect(await later.next() == 1)
    #expect(await iterator.next() == 1)
  }

  @Test func `a tick holds back what an actor adds in one turn`() async {
    let seen = Log<Int>()
    let states = reactor.state(batching: .tick)
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.together(Array(repeating: 1, count: 101))).settled
    while let state = await iterator.next() {
      seen.append(state)
      if state == 101 { break }
    }
    // The first state may be seen before the turn is over, but not each of them.
    #expect(seen.count <= 2)
  }

  @Test func `a custom wait decides when a batch ends`() async {
    let frame = Gate()
    var iterator = reactor.state(batching: .waiting { try await frame.wait() }).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await reactor.send(.add(1)).settled
    await frame.reached()
    await reactor.send(.add(1)).settled
    frame.open()
    #expect(await iterator.next() == 2)
  }

  @Test func `states of an effect have the priorities of their mutations`() async {
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    let receipt = reactor.send(.hold(1))
    gate.open()
    await receipt.settled
    await clock.advance(past: 5)
    #expect(await iterator.next() == 1)
  }

  @Test func `a batched stream does not retain the reactor, and ends with it`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let gone = reactor?.released
    var iterator = reactor?.state(batching: .tick).makeAsyncIterator()
    #expect(await iterator?.next() == [])
    await reactor?.send(1).settled
    reactor = nil
    try? await gone?.wait()
    #expect(await iterator?.next() == [1])
    #expect(await iterator?.next() == nil)
  }

  @Test func `the state of a restart comes at once`() async {
    let reactor = ScriptedReactor()
    var iterator = reactor.state(
      batching: .interval(.steps(5), clock: clock), where: { _, _ in true }
    ).makeAsyncIterator()
    #expect(await iterator.next() == [])
    await reactor.send(1).settled
    await clock.advance(past: 5)
    #expect(await iterator.next() == [1])
  }

  @Test func `behind a hook over the states, each comes at once`() async {
    let reactor = HookedReactor()
    var iterator = reactor.state(
      batching: .interval(.steps(5), clock: clock), where: { _, _ in true }
    ).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    reactor.send(1)
    #expect(await iterator.next() == 10)
    #expect(clock.sleeps.count == 0)
  }
}

/// Adds up; shows ten times as much.
private actor HookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
  func transform(state: States) -> some AsyncSequence<Int, Never> { state.map { $0 * 10 } }
}
