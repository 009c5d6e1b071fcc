import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The samples of the page Testing a reactor, copied by hand.

@Suite(.bounded) struct TestingPageCounterTests {
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
      await test.receive(.setLoading(false)) { $0.isLoading = false }  // too early: one still runs
      await test.advance(by: .milliseconds(200))
      await test.receive(.add(1)) { $0.value = 2 }
      await test.receive(.setLoading(false))
      await test.finish()
    }
  }

  @Test func `stopping the reactor cancels a running change`() async throws {
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
    the state differs from the expected one; expected (-), actual (+):
    """,
    """
    mutation 'setLoading(false)' came after advance(by: 0.5 seconds), and was not received before \
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

  @Test func `a scenario that waits for the clock fails`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { simulation in
        await CounterReactor(clock: simulation.clock).send(.increase).settled
      }
    }
    #expect(
      error?.description
        == "the scenario waits, and nothing in it can run before the clock is advanced: "
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
