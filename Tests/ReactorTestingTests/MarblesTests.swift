import Reactor
import ReactorTesting
import Testing
import TestLimits

@Suite(.bounded) struct MarblesTests {
  private static let letters: [Character: SumReactor.Action] = [
    "a": .add(1), "b": .add(2), "l": .later(5),
  ]

  // MARK: What passes

  @Test func `actions in, states out`() async throws {
    try await run("-a-b--|", "01-3--|")
    try await run("ab", "[01]3")
  }

  @Test func `time passes tick by tick`() async throws {
    try await run("-l--------|", "0--5------|")
    try await run("-l-a---|", "0--[56]---|")
  }

  @Test func `several at one tick, and spaces`() async throws {
    try await run("- [ab] -|", "0 [13] -|")
    try await run("-[a|]", "0[1|]")
  }

  @Test func `a reactor that is not stopped goes on, and later ticks are not compared`()
    async throws
  {
    try await run("-l", "0-")
    try await run("-a", "01---")
    try await run("", "0")
  }

  @Test func `a character for each state`() async throws {
    try await runNamed("-a-|", "ox-|")
  }

  @Test func `a tick of another length`() async throws {
    try await simulate { simulation in
      await marbles(
        SumReactor(clock: simulation.clock), in: simulation, tick: .milliseconds(50),
        actions: "-l----|", Self.letters, states: "0----5|"
      ) { "\($0)" }
    }
  }

  @Test func `what happens between two ticks is shown at the later one`() async throws {
    try await simulate { simulation in
      await marbles(
        SumReactor(clock: simulation.clock), in: simulation, tick: .milliseconds(150),
        actions: "-l", Self.letters, states: "0--5", showing: { $0 })
    }
  }

  @Test func `in every order`() async throws {
    for seed: UInt64 in 0..<50 { try await run("-l-a-b|", "0--[56]-8|", seed: seed) }
  }

  // MARK: What fails, and what it says

  @Test func `another state than expected`() async throws {
    try await failure(
      """
      the states differ from the expected ones, from tick 3 (0.3 seconds) on; correct the reactor, or write \
      states: "01-3--|"

        actions   -a-b--|
        expected  01-2--|
        actual    01-3--|
                     ^
      """
    ) { try await $0.run("-a-b--|", "01-2--|") }
  }

  @Test func `a state at another time`() async throws {
    try await failure(
      """
      the states differ from the expected ones, from tick 2 (0.2 seconds) on; correct the reactor, or write \
      states: "0[13]8-|"

        actions   l[ab]--|
        expected  0[13]-8|
        actual    0[13]8-|
                       ^
      """
    ) { try await $0.run("l[ab]--|", "0[13]-8|") }
  }

  @Test func `ticks are aligned, however many states come at one`() async throws {
    try await failure(
      """
      the states differ from the expected ones, from tick 1 (0.1 seconds) on; correct the reactor, or write \
      states: "01-|"

        actions   -a   -|
        expected  0[12]-|
        actual    01   -|
                   ^
      """
    ) { try await $0.run("-a-|", "0[12]-|") }
  }

  @Test func `an end that does not come, or that was not expected`() async throws {
    try await failure(
      """
      the states differ from the expected ones, from tick 2 (0.2 seconds) on; correct the reactor, or write \
      states: "01-"

        actions   -a
        expected  01|
        actual    01-
                    ^
      """
    ) { try await $0.run("-a", "01|") }
    try await failure(
      """
      the states differ from the expected ones, from tick 2 (0.2 seconds) on; correct the reactor, or write \
      states: "01|"

        actions   -a|
        expected  01
        actual    01|
                    ^
      """
    ) { try await $0.run("-a|", "01") }
  }

  @Test func `a state that has no character, or no single one`() async throws {
    try await failure(
      """
      the states differ from the expected ones, from tick 1 (0.1 seconds) on; correct the reactor, or write \
      states: "o?|"

        actions   -b|
        expected  ox|
        actual    o?|
                   ^
        ? at tick 1 is 2; give it a character
      """
    ) { try await $0.runNamed("-b|", "ox|") }
    try await failure(
      """
      the states differ from the expected ones, from tick 3 (0.3 seconds) on; correct the reactor, or write \
      states: "0--5-?"

        actions   -l-l--
        expected  0--6-6
        actual    0--5-?
                     ^
        ? at tick 5 is '10'; show it as one character, and none of - | [ ] ?
      """
    ) { try await $0.run("-l-l--", "0--6-6") }
  }

  @Test func `it fails at the line of the call`() async throws {
    let line = #line + 3
    try await withKnownIssue {
      try await simulate { simulation in
        await marbles(
          SumReactor(), in: simulation, actions: "", [:], states: "1", showing: { $0 })
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }

  // MARK: Running

  /// Runs diagrams of a sum.
  func run(_ actions: String, _ states: String, seed: UInt64 = 0) async throws {
    try await simulate(seed: seed) { simulation in
      await marbles(
        SumReactor(clock: simulation.clock), in: simulation, actions: actions, Self.letters,
        states: states, showing: { $0 })
    }
  }

  /// The same, with a letter for each state.
  func runNamed(
    _ actions: String, _ states: String, _ names: [Character: Int] = ["o": 0, "x": 1]
  ) async throws {
    try await simulate { simulation in
      await marbles(
        SumReactor(clock: simulation.clock), in: simulation, actions: actions, Self.letters,
        states: states, names)
    }
  }

  /// Runs diagrams that are to fail, and checks what that says, to the letter.
  func failure(
    _ text: String, _ body: @escaping @Sendable (MarblesTests) async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await body(self)
    } matching: { issue in
      issue.comments.contains { $0.rawValue == text }
    }
  }
}

private actor SumReactor: Reactor {
  enum Action { case add(Int), later(Int) }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ImmediateClock()) { self.clock = clock }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number): .just(number)
    case .later(let number):
      .run { emit in
        try await self.clock.sleep(for: .milliseconds(200))
        await emit(number)
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
