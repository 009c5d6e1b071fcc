import ReactorTesting
import Testing
import TestLimits

/// Turning the clock until nothing sleeps, where something goes on sleeping.
@Suite(.bounded) struct AdvanceToEndTests {
  /// Something that sleeps for a second, again and again.
  @discardableResult
  private static func tick(in simulation: Simulation) -> Task<Void, any Error> {
    Task(executorPreference: simulation.executor) {
      while true { try await simulation.clock.sleep(for: .seconds(1)) }
    }
  }

  @Test func `a task that sleeps again and again is an issue at the line of the call`() async {
    let line = #line + 4
    let issues = await issues {
      try await simulate { simulation in
        let ticking = Self.tick(in: simulation)
        await simulation.advanceToEnd(within: .seconds(60))
        ticking.cancel()
      }
    }
    #expect(
      issues == [
        RecordedIssue(
          text: "something still sleeps after advanceToEnd() has advanced the clock by 60.0 "
            + "seconds, of at most 60.0 seconds: 1 asleep, the first for 1.0 seconds; end first "
            + "what sleeps again and again, or allow more with advanceToEnd(within:)", line: line)
      ])
  }

  @Test func `the default limit is an hour`() async {
    let texts = await texts {
      try await simulate { simulation in
        let ticking = Self.tick(in: simulation)
        await simulation.advanceToEnd()
        ticking.cancel()
      }
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("advanced the clock by 3600.0 seconds") == true)
  }

  @Test func `the clock is not advanced to a moment beyond the limit`() async {
    let texts = await texts {
      try await simulate { simulation in
        async let sleep: Void = simulation.clock.sleep(for: .seconds(7200))
        await simulation.advanceToEnd()
        await simulation.advanceToEnd(within: .seconds(7200))
        try await sleep
      }
    }
    #expect(texts.count == 1)
    #expect(
      texts.first?.contains(
        "by 0.0 seconds, of at most 3600.0 seconds: 1 asleep, the first for 7200.0 seconds")
        == true)
  }

  @Test func `a longer limit is no issue`() async throws {
    try await simulate { simulation in
      async let sleep: Void = simulation.clock.sleep(for: .seconds(7200))
      await simulation.advanceToEnd(within: .seconds(7200))
      try await sleep
    }
  }

  @Test func `a scenario that was cancelled reports nothing about it`() async {
    let texts = await texts {
      try await simulate { simulation in
        let ticking = Self.tick(in: simulation)
        withUnsafeCurrentTask { $0?.cancel() }
        await simulation.advanceToEnd(within: .seconds(60))
        ticking.cancel()
      }
    }
    #expect(texts == [])
  }

  @Test func `a seed in which something still sleeps fails`() async {
    let texts = await texts {
      try await simulate(seeds: 7...9) { simulation in
        let ticking = Self.tick(in: simulation)
        await simulation.advanceToEnd(within: .seconds(60))
        ticking.cancel()
      }
    }
    #expect(
      texts.last == "seed 7 fails, run it alone with REACTOR_SEED=7: an issue was recorded")
  }
}
