import Reactor
import ReactorTesting
import Testing
import TestLimits

@Suite(.bounded) struct ReactorTestTests {
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

  @Test func `a relaxed test checks what is asserted`() async throws {
    try await search(.relaxed) { test in
      await test.send(.type("s"))
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["s!"])) { $0.results = ["s!"] }
      await test.finish()
    }
  }

  @Test func `after finish, the state of a relaxed test is the final one`() async throws {
    try await search(.relaxed) { test in
      await test.send(.type("s"))
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false)) { $0.isLoading = false }
      await test.finish()
      #expect(test.state == .init(query: "s", results: ["s!"]))
    }
  }

  @Test func `a send of a relaxed test does not set an older state`() async throws {
    try await search(.relaxed) { test in
      await test.send(.type("s"))
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false))
      await test.send(.nothing)
      #expect(test.state == .init(query: "s", results: ["s!"]))
    }
  }

  @Test func `a relaxed test skips a restart before the mutation that it receives`() async throws {
    try await search(.relaxed) { test in
      test.reactor.send(.set("a"))
      await test.reactor.restart(from: .init(query: "b"))
      test.reactor.send(.set("c"))
      await test.receive(.setQuery("c")) { $0.query = "c" }
      await test.finish()
      #expect(test.state == .init(query: "c"))
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

  @Test func `mutations before the first step are received, too`() async throws {
    try await search { test in
      test.reactor.send(.type("s"))
      await test.receive(.setQuery("s")) { $0.query = "s" }
      test.reactor.cancel(lane: "find")
      await test.finish()
    }
  }
}
