import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import Testing
import TestLimits

/// A journaled reactor in a test starts in a state, as if a journal had restored it.
@Suite(.bounded) struct RecoveringInTestTests {
  @Test func `recovered is called before the first step`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(
        OpeningReactor(), in: simulation, recoveredFrom: ["a", "b"])
      #expect(test.state == ["a", "b"])
      await test.receive("recovered 2") { $0.append("recovered 2") }
      await test.send("c") { $0.append("c") }
      await test.finish()
    }
  }

  @Test func `recovered is called before what is sent later`() async throws {
    try await simulate(seeds: 0...20) { simulation in
      let reactor = OpeningReactor()
      await simulation.recover(reactor, from: ["a"])
      await reactor.send("b").settled
      let state = await reactor.currentState
      try #require(state == ["a", "recovered 1", "b"])
    }
  }

  @Test func `without a recovery, it only starts in the state`() async throws {
    try await simulate { simulation in
      let reactor = OpeningReactor()
      await simulation.start(reactor, from: ["a"])
      await reactor.send("b").settled
      #expect(await reactor.currentState == ["a", "b"])
    }
    let stub = try await ReactorStub(OpeningReactor(), from: ["a"])
    #expect(await stub.reactor.currentState == ["a"])
  }

  @Test func `an exploration begins with a recovery`() async {
    await explore(OpeningReactor.self, actions: .of("b", "c"), runs: 10) { run in
      run.recover(from: ["a"])
      run.finally("it is recovered once") { state in
        state.starts(with: ["a", "recovered 1"]) && state.count { $0.hasPrefix("recovered") } == 1
      }
      return OpeningReactor()
    }
  }

  @Test func `a reactor that has started cannot recover`() async {
    let texts = await issueTexts {
      try await simulate { simulation in
        let reactor = OpeningReactor()
        await simulation.start(reactor, from: [])
        await simulation.recover(reactor, from: ["a"])
        #expect(await reactor.currentState == [])
      }
    }
    #expect(texts.count == 1)
  }
}
