import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// A scenario in many orders stops at the first that fails, and says which.
@Suite(.bounded) struct SeedTests {
  /// Runs a scenario for the seeds 1 to 9, and returns which of them ran and what was recorded.
  private func run(
    _ scenario: @escaping @Sendable (Simulation) async throws -> Void
  ) async -> (seeds: [UInt64], texts: [String]) {
    let seeds = Mutex<[UInt64]>([])
    let texts = await texts {
      try await simulate(seeds: 1...9) { simulation in
        seeds.withLock { $0.append(simulation.seed) }
        try await scenario(simulation)
      }
    }
    return (seeds.withLock { $0 }, texts)
  }

  @Test func `the run stops after an error`() async {
    let (seeds, texts) = await run { if $0.seed == 3 { throw Oops() } }
    #expect(seeds == [1, 2, 3])
    #expect(texts == ["seed 3 fails, run it alone with REACTOR_SEED=3: Oops()"])
  }

  @Test func `the run stops after an expectation that failed`() async {
    let (seeds, texts) = await run { #expect($0.seed != 3) }
    #expect(seeds == [1, 2, 3])
    #expect(
      texts.last == "seed 3 fails, run it alone with REACTOR_SEED=3: an issue was recorded")
    #expect(texts.count == 2)
  }

  @Test func `the run stops after an issue that an effect recorded`() async {
    let (seeds, texts) = await run { simulation in
      let reactor = ComplainingReactor()
      await reactor.send(simulation.seed).settled
    }
    #expect(seeds == [1, 2, 3])
    #expect(
      texts == ["three", "seed 3 fails, run it alone with REACTOR_SEED=3: an issue was recorded"])
  }

  @Test func `the run stops after a step of a test that failed`() async {
    let (seeds, texts) = await run { simulation in
      let test = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
      if simulation.seed == 3 { await test.receiveReport() }
      await test.finish()
    }
    #expect(seeds == [1, 2, 3])
    #expect(
      texts == [
        """
        nothing more was reported; remove this receiveReport

        This is the order of seed 3; among several, REACTOR_SEED=3 runs it alone.
        """,
        "seed 3 fails, run it alone with REACTOR_SEED=3: an issue was recorded",
      ])
  }

  @Test func `the run stops after a test that was not finished`() async {
    let (seeds, _) = await run { simulation in
      _ = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
    }
    #expect(seeds == [1])
  }

  @Test func `the run goes on after a known issue`() async {
    let (seeds, texts) = await run { simulation in
      withKnownIssue { #expect(simulation.seed == 0) }
    }
    #expect(seeds == Array(1...9))
    #expect(texts == [])
  }
}

/// Records an issue in an effect, for 3.
private actor ComplainingReactor: Reactor {
  typealias Action = UInt64
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: UInt64) -> MutationStream<Int> {
    .run { _ in if action == 3 { Issue.record("three") } }
  }

  func reduce(state: inout Int, mutation: Int) {}
}
