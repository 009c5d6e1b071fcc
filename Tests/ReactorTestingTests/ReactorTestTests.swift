import Reactor
import ReactorTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReactorTestTests {
  /// Runs a test of a search screen.
  private func search(
    _ strictness: Strictness = .exhaustive, seed: UInt64 = 0,
    _ body: @escaping @Sendable (ReactorTest<SearchReactor>) async throws -> Void
  ) async throws {
    try await simulate(seed: seed) { simulation in
      let reactor = SearchReactor(clock: simulation.clock)
      try await body(await ReactorTest(reactor, in: simulation, strictness: strictness))
    }
  }

  /// Runs a test that is to fail, and checks what it says.
  private func failure(
    _ text: String, _ strictness: Strictness = .exhaustive,
    _ body: @escaping @Sendable (ReactorTest<SearchReactor>) async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await search(strictness, body)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(text) }
    }
  }

  // MARK: What passes

  @Test func `a search, from the first key to the results`() async throws {
    try await search { test in
      await test.send(.type("s")) { $0.query = "s" }
      await test.advance(by: .milliseconds(299))
      await test.send(.type("sw")) { $0.query = "sw" }
      await test.advance(by: .milliseconds(300))
      await test.receiveReport { $0.isRoutine }
      await test.receive(.setLoading(true)) { $0.isLoading = true }
      await test.receive(.setResults(["sw!"])) { $0.results = ["sw!"] }
      await test.receive { $0.isLoading = false }
      await test.receiveOutput(.found(1))
      await test.finish()
      #expect(test.state.results == ["sw!"])
    }
  }

  @Test func `the same under many orders`() async throws {
    for seed: UInt64 in 0..<50 {
      try await search(seed: seed) { test in
        await test.send(.type("s")) { $0.query = "s" }
        await test.advance(by: .milliseconds(300))
        await test.receive(.setLoading(true)) { $0.isLoading = true }
        await test.receive(.setResults(["s!"])) { $0.results = ["s!"] }
        await test.receive { $0.isLoading = false }
        await test.receiveOutput(.found(1))
        await test.finish()
      }
    }
  }

  @Test func `a relaxed test checks what is stated`() async throws {
    try await search(.relaxed) { test in
      await test.send(.type("s"))
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["s!"])) { $0.results = ["s!"] }
      await test.finish()
    }
  }

  @Test func `an error is received as a report`() async throws {
    try await search { test in
      await test.send(.fail)
      await test.receiveReport { report in
        if case .effectFailed(is Oops) = report.problem { true } else { false }
      }
      await test.finish()
    }
  }

  // MARK: What fails, and what it says

  @Test func `a change that nobody expected`() async throws {
    try await failure("the state changed, and nothing was expected to; state it in a closure") {
      await $0.send(.type("s"))
    }
  }

  @Test func `another change than expected`() async throws {
    try await failure("the state is another than expected (−) and actual (+)") {
      await $0.send(.type("s")) { $0.query = "t" }
    }
  }

  @Test func `the difference is readable`() async throws {
    try await failure(#"query: "s""#) { await $0.send(.type("s")) { $0.query = "t" } }
  }

  @Test func `a change that did not happen`() async throws {
    try await failure("the state is another than expected") {
      await $0.send(.nothing) { $0.query = "t" }
    }
  }

  @Test func `an effect that still runs`() async throws {
    try await failure("the work of 'wait' has not ended; advance the clock, cancel it") { test in
      await test.send(.wait)
      await test.finish()
    }
  }

  @Test func `an action that waits in a lane`() async throws {
    try await failure(#"the work of 'find("s")' has not ended"#) { test in
      await test.send(.type("s")) { $0.query = "s" }
      await test.finish()
    }
  }

  @Test func `a mutation that nobody received`() async throws {
    try await failure("mutation 'setLoading(true)' came after advance(by: 1.0 seconds)") { test in
      await test.send(.later)
      await test.advance(by: .seconds(1))
      await test.finish()
    }
  }

  @Test func `an output that nobody received`() async throws {
    try await failure(
      "output 'found(7)' came after send(say), and nobody received it before finish()"
    ) {
      test in
      await test.send(.say)
      await test.finish()
    }
  }

  @Test func `a report that nobody received`() async throws {
    try await failure("it was reported after send(fail), and nobody received it before finish()") {
      test in
      await test.send(.fail)
      await test.finish()
    }
  }

  @Test func `another mutation than expected`() async throws {
    try await failure("another mutation came than expected") { test in
      await test.send(.later)
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false)) { $0.isLoading = true }
    }
  }

  @Test func `nothing more to receive`() async throws {
    try await failure("nothing more has changed the state; advance the clock") {
      await $0.receive { $0.isLoading = true }
    }
  }

  @Test func `no output and no report to receive`() async throws {
    try await failure("nothing more was put out") { await $0.receiveOutput(.found(1)) }
    try await failure("nothing more was reported") { await $0.receiveReport() }
  }

  @Test func `an action that is not taken`() async throws {
    try await failure("send(nothing) was not taken") { test in
      await test.reactor.stop().settled
      await test.send(.nothing)
      await test.receiveReport()
    }
  }

  @Test func `it fails at the line that caused it`() async throws {
    let line = #line + 3
    try await withKnownIssue {
      try await search { test in
        await test.send(.say)
        await test.finish()
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }

  @Test func `what comes before the first step has to be received, too`() async throws {
    try await search { test in
      test.reactor.send(.type("s"))
      await test.receive(.setQuery("s")) { $0.query = "s" }
      test.reactor.cancel(lane: "find")
      await test.finish()
    }
    try await failure(
      #"mutation 'setQuery("s")' came at the start, and nobody received it before send(nothing)"#
    ) { test in
      test.reactor.send(.type("s"))
      await test.send(.nothing)
    }
  }

  @Test func `a failure names the seed`() async throws {
    try await withKnownIssue {
      try await search(seed: 7) { await $0.send(.type("s")) }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasSuffix("REACTOR_SEED=7 runs it alone.") }
    }
  }

  @Test func `a relaxed test fails where what is stated is wrong`() async throws {
    try await failure("the state is another than expected", .relaxed) {
      await $0.send(.type("s")) { $0.query = "t" }
    }
  }
}

private struct Oops: Error {}

private actor SearchReactor: Reactor {
  enum Action: Equatable { case type(String), find(String), fail, wait, later, say, nothing }
  enum Mutation: Equatable { case setQuery(String), setLoading(Bool), setResults([String]) }
  enum Output: Equatable { case found(Int) }
  struct State: Equatable {
    var query = ""
    var isLoading = false
    var results: [String] = []
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .find: .latest("find").debounced(for: .milliseconds(300), clock: clock)
    default: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .type(let text):
      send(.find(text))
      return .just(.setQuery(text))
    case .find(let text):
      return .run { emit in
        await emit(.setLoading(true))
        await emit(.setResults([text + "!"]))
        await emit(.setLoading(false))
        self.output(.found(1))
      }
    case .fail: return .run { _ in throw Oops() }
    case .wait: return .run { _ in try await self.clock.sleep(for: .seconds(60)) }
    case .later:
      return .run { emit in
        try await self.clock.sleep(for: .seconds(1))
        await emit(.setLoading(true))
      }
    case .say: return .run { _ in self.output(.found(7)) }
    case .nothing: return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setQuery(let query): state.query = query
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setResults(let results): state.results = results
    }
  }
}
