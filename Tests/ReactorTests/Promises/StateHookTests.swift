import AsyncAlgorithms
import Reactor
import TestSupport
import Testing

/// What can go wrong at the end of a reactor: each of these was broken once.
@Suite(.timeLimit(.minutes(5))) struct EndingCornerTests {
  @Test func `a release with an effect in flight leaves no payload behind (promise 11)`() async {
    let freed = Gate()
    var reactor: PayloadReactor? = PayloadReactor()
    reactor?.send(Payload(freed))
    // The effect ignores its cancellation; only the books could hold the action.
    _ = await reactor?.currentState
    reactor = nil
    await freed.pass()
  }

  @Test func `stop in deinit is harmless (promise 11)`() async {
    let gone = Gate()
    var reactor: SelfStopping? = SelfStopping(gone)
    await reactor?.send(1).settled
    reactor = nil
    await gone.pass()
    let unused = Gate()
    reactor = SelfStopping(unused)
    reactor = nil
    await unused.pass()
  }

  @Test func `a state hook that merges an endless sequence ends with the reactor (promise 11)`()
    async
  {
    let (endless, ticks) = AsyncStream<[Int]>.makeStream()
    var reactor: StateHookedReactor? = StateHookedReactor { _, state in
      Erased(merge(state, endless))
    }
    var states = reactor?.state.makeAsyncIterator()
    #expect(await states?.next() == [])
    reactor = nil
    #expect(await states?.next() == nil)
    ticks.finish()
  }

  @Test func `a state hook that reads ahead brings out the last states (promise 7)`() async {
    for _ in 0..<100 {
      let reactor = StateHookedReactor { _, state in Erased(state.buffer(policy: .unbounded)) }
      var states = reactor.state.makeAsyncIterator()
      #expect(await states.next() == [])
      for number in 0..<20 { reactor.send(number) }
      reactor.stop()
      var last: [Int]?
      while let state = await states.next() { last = state }
      #expect(last == Array(0..<20))
    }
  }

  @Test func `a state hook that ends is passed by without gap or repetition (promise 13)`() async {
    let reactor = StateHookedReactor { _, state in Erased(state.prefix(2)) }
    var states = reactor.state.makeAsyncIterator()
    for number in 0..<4 { await reactor.send(number).settled }
    reactor.stop()
    var counts: [Int] = []
    while let state = await states.next() { counts.append(state.count) }
    #expect(counts == Array(0...4).suffix(counts.count))
    #expect(counts.last == 4)
  }

  @Test func `what a state owns may end an observation of it (promise 7)`() async {
    let reactor = OwningReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next()?.number == 0)
    let first = Task { for await _ in reactor.state {} }
    reactor.send(.own(first))
    for number in 1...3 { reactor.send(.number(number)) }
    while let state = await states.next(), state.number < 3 {}
    await first.value
  }

  @Test func `with both hooks, stop from reduce lets the action finish (promise 12)`() async {
    let reactor = TwicePassing()
    await reactor.send(1).settled
    await reactor.stop().settled
    #expect(await reactor.currentState == [1, -7, 2, 3])
  }

  @Test func `a second stop does not wait for a mutation that a hook keeps (promise 12)`() async {
    let silent = AsyncStream<Int>.makeStream()
    let taken = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(zip(mutation, silent.stream).map { $0.0 })
    } _: { _, action in
      taken.open()
      return .of(action, action + 1)
    }
    let receipt = reactor.send(1)
    await taken.pass()
    reactor.stop()
    await reactor.stop().settled
    await receipt.settled
    #expect(await reactor.currentState == [])
    silent.continuation.finish()
  }
}

private final class Payload: Sendable {
  private let freed: Gate
  init(_ freed: Gate) { self.freed = freed }
  deinit { freed.open() }
}

private actor PayloadReactor: Reactor {
  typealias Action = Payload
  typealias Mutation = Never
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Payload) -> MutationStream<Never> {
    .run { _ in try await Gate().wait() }
  }

  func reduce(state: inout Int, mutation: Never) {}
}

private actor SelfStopping: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let gone: Gate

  init(_ gone: Gate) { self.gone = gone }

  deinit {
    stop()
    gone.open()
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

private actor OwningReactor: Reactor {
  final class Owner: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  struct State {
    var number = 0
    var owner: Owner?
  }

  enum Action {
    case own(Task<Void, Never>)
    case number(Int)
  }

  typealias Mutation = Action
  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .own(let task): state.owner = Owner(task)
    case .number(let number):
      state.number = number
      state.owner = nil
    }
  }
}

private actor TwicePassing: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }
  func mutate(action: Int) -> MutationStream<Int> { .of(1, -7, 2, 3) }
  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) {
    state.append(mutation)
    if mutation == -7 { stop() }
  }
}
