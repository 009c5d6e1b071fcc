import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The README's samples, and the hook of the page Hooks; the counter's clock never waits.

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

actor UserReactor: MutationTransforming {
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
    mutation.merging(users.map { Mutation.setUser($0) })
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setUser(let user): state.user = user
    }
  }
}

actor ListReactor: LanedReactor {
  enum Action { case search(String), save(String), delete(String), toggle(Int), clear }
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  let service = HeldService()
  let reports = ReportLog()
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
    case .save, .delete: .sequential("disk")
    case .toggle(let id): .leading(id)
    case .clear: nil
    }
  }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .search(let text), .save(let text), .delete(let text):
      .run { emit in await emit(try await service.get(text)) }
    case .toggle(let id): .run { emit in await emit(try await service.get("\(id)")) }
    case .clear: .just("clear")
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

@Suite(.bounded) struct ReadmeTests {
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

  @Test func `the lanes of the README: newest, one by one, first, all`() async {
    let clock = MillisecondClock()
    let list = ListReactor(clock: clock)
    let typed = [list.send(.search("s")), list.send(.search("sw"))]
    let disk = [list.send(.save("a")), list.send(.delete("b"))]
    let toggles = [list.send(.toggle(1)), list.send(.toggle(1))]
    await toggles[1].settled
    #expect(await list.service.asked(2) == ["1", "a"])
    list.cancel(lane: "disk")
    for receipt in disk { await receipt.settled }
    list.service.answer("1", "sw")
    await toggles[0].settled
    _ = await clock.hand.sleeps.entries(upTo: 2)
    clock.hand.advance(to: 300)
    for receipt in typed { await receipt.settled }
    await list.send(.clear).settled
    #expect(await list.currentState == ["1", "sw", "clear"])
    #expect(list.reports.problems == ["superseded(search)", "dropped(1)"])
  }

  @Test func `the hook of the page Hooks merges a service`() async {
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
