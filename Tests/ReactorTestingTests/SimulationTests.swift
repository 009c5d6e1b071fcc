import AsyncAlgorithms
import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

@Suite(.bounded) struct SimulationTests {
  @Test func `a scenario runs to its end`() async throws {
    let ran = Mutex(false)
    try await simulate { _ in ran.withLock { $0 = true } }
    #expect(ran.withLock { $0 })
  }

  @Test func `what the scenario throws is thrown`() async {
    await #expect(throws: Oops.self) { try await simulate { _ in throw Oops() } }
  }

  @Test func `settle returns when everything that could run has run`() async throws {
    try await simulate { simulation in
      let reactor = EchoReactor(clock: simulation.clock)
      for number in 0..<10 { reactor.send(.hops(number)) }
      await simulation.settle()
      #expect(await reactor.currentState.count == 10)
    }
  }

  @Test func `advance wakes sleepers in order, and those that sleep again`() async throws {
    try await simulate { simulation in
      let reactor = EchoReactor(clock: simulation.clock)
      for seconds in [3, 1, 2] { reactor.send(.after(seconds)) }
      await simulation.advance(by: .seconds(2))
      #expect(await reactor.currentState == [1, 2])
      await simulation.advance(by: .seconds(1))
      #expect(await reactor.currentState == [1, 2, 3])
      reactor.send(.ticks(5))
      await simulation.advance(by: .seconds(4))
      #expect(await reactor.currentState == [1, 2, 3, 100, 101, 102, 103])
      await simulation.advanceToEnd()
      #expect(await reactor.currentState.last == 104)
      #expect(simulation.clock.sleeperCount == 0)
    }
  }

  @Test func `a debounce of 300 ms, a thousand times in a row`() async throws {
    for _ in 0..<1000 {
      try await simulate { simulation in
        let reactor = EchoReactor(clock: simulation.clock)
        reactor.send(.typed(1))
        await simulation.advance(by: .milliseconds(299))
        reactor.send(.typed(2))
        await simulation.advance(by: .milliseconds(299))
        #expect(await reactor.currentState == [])
        await simulation.advance(by: .milliseconds(1))
        #expect(await reactor.currentState == [2])
      }
    }
  }

  @Test func `a seed decides the order, and always the same one`() async throws {
    var orders: Set<[Int]> = []
    for seed: UInt64 in 0..<50 {
      let first = try await order(seed)
      #expect(try await order(seed) == first)
      orders.insert(first)
    }
    #expect(orders.count > 5)
    #expect(try await order(0) == Array(0..<6))
  }

  private func order(_ seed: UInt64) async throws -> [Int] {
    let seen = Mutex<[Int]>([])
    try await simulate(seed: seed) { simulation in
      let reactor = EchoReactor(clock: simulation.clock)
      for number in 0..<6 { reactor.send(.hops(number)) }
      await simulation.settle()
      let state = await reactor.currentState
      seen.withLock { $0 = state }
    }
    return seen.withLock { $0 }
  }

  @Test func `a failing seed is named`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate(seeds: 1...100) { simulation in
        let reactor = EchoReactor(clock: simulation.clock)
        for number in 0..<3 { reactor.send(.hops(number)) }
        await simulation.settle()
        if await reactor.currentState != [0, 1, 2] { throw Oops() }
      }
    }
    let text = error?.description ?? ""
    #expect(text.contains("fails, run it alone with REACTOR_SEED="))
    #expect(text.hasSuffix("Oops()"))
  }

  @Test func `a scenario that waits for the clock fails with a hint to advance it`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { simulation in
        let reactor = EchoReactor(clock: simulation.clock)
        await reactor.send(.after(3)).settled
      }
    }
    #expect(
      error?.description
        == "the scenario waits, and nothing in it can run before the clock is advanced: "
        + "1 asleep, the first for 3.0 seconds; call advance(by:)")
  }

  @Test func `a scenario that waits for nothing fails with that`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { _ in
        let stream = AsyncStream<Int> { _ in }
        for await _ in stream {}
      }
    }
    #expect(
      error?.description
        == "the scenario waits, and nothing in it can run; if it waits for a Task { } of its own, "
        + "make that with Task(executorPreference: simulation.executor) { }; "
        + "if for an ask, answer its Reply; "
        + "if for something outside, say awaitsOthers: true")
  }

  @Test func `work outside is waited for on request`() async throws {
    try await simulate(awaitsOthers: true) { _ in
      let value = await withCheckedContinuation { continuation in
        Task.detached { continuation.resume(returning: 7) }
      }
      #expect(value == 7)
    }
  }

  @Test func `a scenario that waits outside for uncancellable work ends when cancelled`()
    async throws
  {
    let kept = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let (waits, waiting) = AsyncStream<Never>.makeStream()
    let running = Task {
      try await simulate(awaitsOthers: true) { _ in
        await withCheckedContinuation { continuation in
          kept.withLock { $0 = continuation }
          waiting.finish()
        }
      }
    }
    for await _ in waits {}
    running.cancel()
    let error = await #expect(throws: SimulationError.self) { try await running.value }
    #expect(
      error?.description
        == "the scenario was cancelled, and still waits for something outside that heeds no "
        + "cancellation, such as a continuation that is never resumed: the code that stores it "
        + "has to resume it")
    kept.withLock { $0.take() }?.resume()
  }

  @Test func `hooks and observers are simulated as well`() async throws {
    try await simulate(seeds: 0..<50) { simulation in
      let reactor = HookedReactor()
      let seen = Mutex<[Int]>([])
      let watching = Task(executorPreference: simulation.executor) {
        for await state in reactor.state { seen.withLock { $0.append(state) } }
      }
      await simulation.settle()
      reactor.send(1)
      reactor.send(2)
      await simulation.advance(by: .seconds(1))
      #expect(await reactor.currentState == 4)
      reactor.stop()
      await watching.value
      #expect(seen.withLock { $0 } == [0, 2, 4])
    }
  }

  @Test func `an immediate clock never waits`() async throws {
    let clock = ImmediateClock()
    let reactor = EchoReactor(clock: clock)
    await reactor.send(.after(3600)).settled
    #expect(await reactor.currentState == [3600])
    #expect(clock.now.sinceStart == .seconds(3600))
  }

  @Test func `outside a simulation there is no look-up`() async {
    let reactor = EchoReactor(clock: ImmediateClock())
    await reactor.send(.hops(1)).settled
    #expect(await reactor.currentState == [1])
  }
}

private actor EchoReactor: Reactor {
  enum Action { case hops(Int), after(Int), ticks(Int), typed(Int) }
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>
  private let other = Other()

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    guard case .typed = action else { return nil }
    return .latest("typed").debounced(for: .milliseconds(300), clock: clock)
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .hops(let number):
      .run { emit in
        // A child task: one more that the order is decided for.
        async let visit: Void = self.other.visit()
        await visit
        await emit(number)
      }
    case .after(let seconds):
      .run { emit in
        try await self.clock.sleep(for: .seconds(seconds))
        await emit(seconds)
      }
    case .ticks(let count):
      .run { emit in
        for number in 0..<count {
          try await self.clock.sleep(for: .seconds(1))
          await emit(100 + number)
        }
      }
    case .typed(let number): .just(number)
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

private actor Other { func visit() {} }

private actor HookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 * 2 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.removeDuplicates()
  }

  func transform(state: States) -> some AsyncSequence<Int, Never> { state.map { $0 } }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
