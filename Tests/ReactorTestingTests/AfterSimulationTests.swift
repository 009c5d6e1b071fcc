import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// What is kept of a simulation beyond its end.
@Suite(.bounded) struct AfterSimulationTests {
  private static let text =
    "the simulation of this test of SearchReactor has ended; take its steps within simulate { }"

  /// A test whose simulation is over.
  private func kept() async throws -> ReactorTest<SearchReactor> {
    let tests = Log<ReactorTest<SearchReactor>>()
    try await search(.relaxed) { tests.append($0) }
    return try #require(tests.entries.first)
  }

  @Test func `each step of a test reports that its simulation has ended`() async throws {
    let test = try await kept()
    let texts = await texts {
      await test.send(.type("swift"))
      await test.receive { $0.query = "swift" }
      await test.receive(.setLoading(true))
      await test.receiveOutput(.found(7))
      await test.receiveReport()
      await test.receiveRestart()
      await test.sendRefused(.say, because: .stopped)
      await test.advance(by: .seconds(1))
      await test.finish()
    }
    #expect(texts == Array(repeating: Self.text, count: 9))
    #expect(await test.reactor.currentState == SearchReactor.State())
  }

  @Test func `a test that begins after its simulation reports that`() async throws {
    let simulations = Log<Simulation>()
    try await simulate { simulations.append($0) }
    let simulation = try #require(simulations.entries.first)
    let texts = await texts {
      _ = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
    }
    #expect(texts == [Self.text])
  }

  @Test func `a wait on the ended simulation returns at once`() async throws {
    let simulations = Log<Simulation>()
    try await simulate { simulations.append($0) }
    let simulation = try #require(simulations.entries.first)
    await simulation.settle()
    await simulation.advance(by: .seconds(1))
    #expect(simulation.clock.now.sinceStart == .seconds(1))
  }
}
