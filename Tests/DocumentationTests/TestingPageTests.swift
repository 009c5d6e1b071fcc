import Reactor
import ReactorTesting
import Testing

// The samples of the page Testing a reactor, copied by hand.

@Suite(.timeLimit(.minutes(1))) struct TestingPageCounterTests {
  actor CounterReactor: Reactor {
    enum Action { case increase, decrease }
    enum Mutation: Equatable { case add(Int), setLoading(Bool) }
    struct State: Equatable {
      var value = 0
      var isLoading = false
    }

    let initialState = State()
    let pipeline = Pipeline()
    let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

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
        await emit(.setLoading(true))
        try await clock.sleep(for: .milliseconds(500))
        await emit(.add(amount))
        await emit(.setLoading(false))
      }
    }
  }

  // MARK: A simulation

  @Test func `a change takes half a second`() async throws {
    try await simulate { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      counter.send(.increase)

      await simulation.advance(by: .milliseconds(499))
      #expect(await counter.currentState == .init(value: 0, isLoading: true))

      await simulation.advance(by: .milliseconds(1))
      #expect(await counter.currentState == .init(value: 1, isLoading: false))
    }
  }

  // MARK: Step by step

  @Test func `an increase loads, then counts`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CounterReactor(clock: simulation.clock), in: simulation)

      await test.send(.increase) { $0.isLoading = true }
      await test.advance(by: .milliseconds(500))
      await test.receive(.add(1)) { $0.value = 1 }
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.finish()
    }
  }

  @Test func `a decrease goes below 0`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CounterReactor(clock: simulation.clock), in: simulation)

      await test.send(.decrease) { $0.isLoading = true }
      await test.advance(by: .milliseconds(500))
      await test.receive { $0.value = -1 }
      await test.receive { $0.isLoading = false }
      await test.finish()
    }
  }

  @Test func `two changes overlap`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CounterReactor(clock: simulation.clock), in: simulation)

      await test.send(.increase) { $0.isLoading = true }
      await test.advance(by: .milliseconds(200))
      await test.send(.increase)  // it loads already
      await test.advance(by: .milliseconds(300))
      await test.receive(.add(1)) { $0.value = 1 }
      await test.receive(.setLoading(false)) { $0.isLoading = false }  // too soon: one is under way
      await test.advance(by: .milliseconds(200))
      await test.receive(.add(1)) { $0.value = 2 }
      await test.receive(.setLoading(false))
      await test.finish()
    }
  }

  @Test func `a change under way is not made after the end`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CounterReactor(clock: simulation.clock), in: simulation)

      await test.send(.increase) { $0.isLoading = true }
      await test.reactor.stop().settled
      await test.advance(by: .milliseconds(500))
      await test.finish()
      #expect(test.state.value == 0)
    }
  }

  // MARK: A failure

  @Test func `what is wrong, and what is missing, fails at its line`() async throws {
    let line = #line + 7
    let lines = Log<Int?>()
    try await withKnownIssue {
      try await simulate { simulation in
        let test = await ReactorTest(CounterReactor(clock: simulation.clock), in: simulation)

        await test.send(.increase) { $0.isLoading = true }
        await test.advance(by: .milliseconds(500))
        await test.receive(.add(1)) { $0.value = 2 }
        await test.finish()
      }
    } matching: { issue in
      lines.append(issue.sourceLocation?.line)
      return issue.comments.contains { comment in
        Self.failures.contains { comment.rawValue.contains($0) }
      }
    }
    #expect(lines.entries == [line + 1, line])
  }

  /// What the page shows.
  private static let failures = [
    """
    the state is another than expected (-) and actual (+):
    """,
    """
    mutation 'setLoading(false)' came after advance(by: 0.5 seconds), and nobody received it before \
    finish(); receive it:
    """,
  ]

  // MARK: Strictness

  @Test func `three increases make three`() async throws {
    try await simulate { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      let test = await ReactorTest(counter, in: simulation, strictness: .relaxed)

      for _ in 1...3 { await test.send(.increase) }
      await test.advance(by: .milliseconds(500))
      await test.receive(.add(1)) { $0.value = 1 }
      await test.finish()
      #expect(test.state.value == 3)
    }
  }

  // MARK: Seeds

  @Test func `in whatever order they end`() async throws {
    try await simulate(seeds: 0..<100) { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      counter.send(.increase)
      counter.send(.decrease)
      counter.send(.increase)
      await simulation.advance(by: .milliseconds(500))
      #expect(await counter.currentState == .init(value: 1))
    }
  }

  // MARK: What takes part

  @Test func `an observer sees every state`() async throws {
    try await simulate { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      let watching = Task(executorPreference: simulation.executor) {
        var values: [Int] = []
        for await state in counter.state { values.append(state.value) }
        return values
      }
      await simulation.settle()
      counter.send(.increase)
      await simulation.advance(by: .milliseconds(500))
      counter.stop()
      #expect(await watching.value == [0, 0, 1, 1])
    }
  }

  @Test func `a scenario that waits for the clock says so`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { simulation in
        await CounterReactor(clock: simulation.clock).send(.increase).settled
      }
    }
    #expect(
      error?.description
        == "the scenario waits, and nothing in it can run before the clock is turned: "
        + "1 asleep, the first for 0.5 seconds; call advance(by:)")
  }

  // MARK: Without a simulation

  @Test func `a decrease, without waiting`() async {
    let counter = CounterReactor(clock: ImmediateClock())
    await counter.send(.decrease).settled
    #expect(await counter.currentState.value == -1)
  }

  @Test func `it loads, and then it does not`() async {
    let counter = CounterReactor()
    var states = counter.state.makeAsyncIterator()
    let receipt = counter.send(.increase)
    while let state = await states.next(), !state.isLoading {}
    await receipt.settled
    #expect(await counter.currentState == .init(value: 1))
  }
}

@Suite(.timeLimit(.minutes(1))) struct TestingPageSearchTests {
  actor SearchReactor: Reactor {
    enum Action { case search(String), clear }
    enum Mutation: Equatable { case setLoading(Bool), setResults([String]) }
    enum Output: Equatable { case found(Int) }
    struct State: Equatable {
      var isLoading = false
      var results: [String] = []
    }

    let initialState = State()
    let pipeline = Pipeline()
    let service: Service
    let clock: any Clock<Duration>

    init(service: Service, clock: any Clock<Duration> = ContinuousClock()) {
      self.service = service
      self.clock = clock
    }

    func lane(for action: Action) -> Lane? {
      switch action {
      case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
      case .clear: nil
      }
    }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .search(let text):
        return .run { emit in
          await emit(.setLoading(true))
          do {
            let results = try await service.find(text)
            await emit(.setResults(results))
            await emit(.setLoading(false))
            output(.found(results.count))
          } catch {
            await emit(.setLoading(false))
            throw error
          }
        }
      case .clear:
        cancel(lane: "search")
        return .of(.setLoading(false), .setResults([]))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setResults(let results): state.results = results
      }
    }
  }

  struct Offline: Error {}

  /// Takes a second for every answer.
  actor Service {
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) { self.clock = clock }

    func find(_ text: String) async throws -> [String] {
      try await clock.sleep(for: .seconds(1))
      guard text != "offline" else { throw Offline() }
      return ["\(text)!"]
    }
  }

  typealias SearchTest = ReactorTest<SearchReactor>

  func search(_ body: @escaping @Sendable (SearchTest) async throws -> Void) async throws {
    try await simulate { simulation in
      let service = Service(clock: simulation.clock)
      let reactor = SearchReactor(service: service, clock: simulation.clock)
      try await body(await ReactorTest(reactor, in: simulation))
    }
  }

  @Test func `a search, from the key to the results`() async throws {
    try await search { test in
      await test.send(.search("swift"))  // the debounce holds it back
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["swift!"])) { $0.results = ["swift!"] }
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveOutput(.found(1))
      await test.finish()
    }
  }

  @Test func `while somebody types, nothing is searched`() async throws {
    try await search { test in
      await test.send(.search("s"))
      await test.advance(by: .milliseconds(299))
      await test.send(.search("sw"))
      await test.receiveReport { $0.isRoutine }  // "s" never started
      await test.advance(by: .milliseconds(299))
      await test.send(.clear)  // cancels what waits; nobody is told
      await test.finish()
    }
  }

  @Test func `the newest search wins`() async throws {
    try await search { test in
      await test.send(.search("old"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.send(.search("new"))
      await test.advance(by: .milliseconds(300))
      await test.receiveReport { report in
        if case .evictedFromLane = report.problem { true } else { false }
      }
      await test.receive(.setLoading(true))  // it loads already
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["new!"])) { $0.results = ["new!"] }
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveOutput(.found(1))
      await test.finish()
    }
  }

  @Test func `an error is reported, and the screen stops loading`() async throws {
    try await search { test in
      await test.send(.search("offline"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.receiveReport { report in
        if case .effectFailed(is Offline) = report.problem { true } else { false }
      }
      await test.finish()
    }
  }

  @Test func `clear cancels the search that runs`() async throws {
    try await search { test in
      await test.send(.search("swift"))
      await test.advance(by: .milliseconds(300))
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.send(.clear) { $0.isLoading = false }
      await test.advance(by: .seconds(1))
      await test.finish()
    }
  }

  @Test func `the newest search wins, in any order`() async throws {
    try await simulate(seeds: 1...100) { simulation in
      let service = Service(clock: simulation.clock)
      let search = SearchReactor(service: service, clock: simulation.clock)
      for text in ["a", "b", "c"] {
        search.send(.search(text))
        await simulation.advance(by: .milliseconds(300))
      }
      await simulation.advanceToEnd()
      try #require(await search.currentState == .init(isLoading: false, results: ["c!"]))
    }
  }
}
