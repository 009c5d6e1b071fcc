import Reactor
import ReactorTesting
import Testing
import TestLimits

/// Time as a string: actions in, outputs out.
@Suite(.bounded) struct OutputMarblesTests {
  private func run(
    _ actions: String, _ outputs: String, seed: UInt64 = 0
  ) async throws {
    try await simulate(seed: seed) { simulation in
      await marbles(
        EchoReactor(clock: simulation.clock), in: simulation, actions: actions,
        ["a": "a", "b": "b"], outputs: outputs, ["a": "a", "b": "b"])
    }
  }

  @Test func `actions in, outputs out`() async throws {
    try await run("-a-[ab]--|", "---a-[ab]|")
    try await run("-a-", "---")
  }

  @Test func `in every order`() async throws {
    for seed: UInt64 in 1...50 { try await run("-a-b--|", "---a-b|", seed: seed) }
  }

  @Test func `other outputs than expected`() async {
    #expect(
      await texts { try await run("-a---", "--a--") } == [
        """
        the outputs differ from the expected ones, from tick 2 (0.2 seconds) on; correct the reactor, or write \
        outputs: "---a-"

          actions   -a---
          expected  --a--
          actual    ---a-
                      ^
        """
      ])
  }

  @Test func `an output that has no letter`() async {
    let texts = await texts {
      try await simulate { simulation in
        await marbles(
          EchoReactor(clock: simulation.clock), in: simulation, actions: "a--", ["a": "other"],
          outputs: "---", ["a": "a"])
      }
    }
    #expect(texts.first?.hasSuffix("\n  ? at tick 2 is other; give it a character") == true)
  }

  @Test func `a diagram that cannot be read`() async {
    #expect(
      await texts { try await run("a", "[a") } == [
        #"outputs "[a", character 1: this [ is never closed; put a ] after what belongs in it"#
      ])
  }
}

/// Puts out what it is sent, 200 ms later.
private actor EchoReactor: Reactor {
  typealias Action = String
  typealias Mutation = Int
  typealias Output = String

  let initialState = 0
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func mutate(action: String) -> MutationStream<Int> {
    .run { _ in
      try await self.clock.sleep(for: .milliseconds(200))
      self.output(action)
    }
  }

  func reduce(state: inout Int, mutation: Int) {}
}
