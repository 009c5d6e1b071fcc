import AsyncAlgorithms
import Reactor
import Testing

// The README's samples, copied by hand; the counter's clock is one that never waits.

actor CounterReactor: Reactor {
  enum Action { case increase, decrease }
  enum Mutation { case add(Int), setLoading(Bool) }
  struct State: Equatable {
    var value = 0
    var isLoading = false
  }

  let initialState = State()
  let pipeline = Pipeline()  // the one line of storage
  let clock = ImmediateClock()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase: add(1)
    case .decrease: add(-1)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let amount): state.value += amount
    case .setLoading(let isLoading): state.isLoading = isLoading
    }
  }

  private func add(_ amount: Int) -> MutationStream<Mutation> {
    .run { emit in
      await emit(.setLoading(true))  // in the state when this returns
      try await clock.sleep(for: .milliseconds(500))
      await emit(.add(amount))
      await emit(.setLoading(false))
    }
  }
}

/// What the README's `ContinuousClock` is here: a clock that never waits.
struct ImmediateClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}

actor UserReactor: Reactor {
  enum Action { case rename(String) }
  enum Mutation { case setUser(String) }
  struct State { var user = "" }

  let initialState = State()
  let pipeline = Pipeline()
  let users: AsyncStream<String>

  init(users: AsyncStream<String>) { self.users = users }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .rename(let name): .just(.setUser(name))
    }
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    merge(mutation, users.map { Mutation.setUser($0) })
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setUser(let user): state.user = user
    }
  }
}

struct ReadmeTests {
  @Test func `the counter of the README counts`() async {
    let counter = CounterReactor()

    counter.send(.increase)
    await counter.send(.increase).settled
    #expect(await counter.currentState.value >= 1)

    for await state in counter.state where !state.isLoading {
      #expect(state.value > 0)
      break
    }
  }

  @Test func `the hook of the README merges a service`() async {
    let (users, service) = AsyncStream<String>.makeStream()
    let reactor = UserReactor(users: users)
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next()?.user == "")
    service.yield("Ada")
    #expect(await states.next()?.user == "Ada")
    await reactor.send(.rename("Grace")).settled
    #expect(await reactor.currentState.user == "Grace")
  }
}
