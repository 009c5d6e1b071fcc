import Reactor
import ReactorTesting
import Testing
import TestLimits

/// A test, a stub, a simulation and an exploration start a reactor in any state.
@Suite(.bounded) struct BeginningStateTests {
  @Test func `a test starts in a state`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(
        SearchReactor(clock: simulation.clock), in: simulation, from: .init(query: "old"))
      #expect(test.state.query == "old")
      await test.send(.set("new")) { $0.query = "new" }
      await test.finish()
    }
  }

  @Test func `a stub starts in a state`() async throws {
    let stub = try await ReactorStub(
      SearchReactor(clock: ImmediateClock()), from: .init(query: "old"))
    #expect(await stub.reactor.currentState.query == "old")
    stub.reactor.send(.nothing)
    #expect(await stub.actions(upTo: 1) == [.nothing])
  }

  @Test func `a reactor in a simulation starts in a state, and takes its first action`()
    async throws
  {
    try await simulate { simulation in
      let reactor = StartingReactor()
      await simulation.start(reactor, from: 5)
      await simulation.settle()
      #expect(await reactor.currentState == 6)
    }
  }

  @Test func `an exploration starts in a state`() async {
    await explore(StartingReactor.self, actions: .of(1), runs: 5) { run in
      run.begin(from: 100)
      run.always("it is not the initial state") { $0 >= 100 }
      return StartingReactor()
    }
  }

  @Test func `a reactor that has started cannot start again`() async throws {
    let message =
      "StartingReactor has started already, and cannot start from another state; "
      + "make an unused one"
    let texts = await texts {
      try await simulate { simulation in
        let reactor = StartingReactor()
        _ = await reactor.currentState
        await simulation.start(reactor, from: 5)
        let test = await ReactorTest(reactor, in: simulation, from: 7, strictness: .relaxed)
        await test.finish()
        #expect(test.state == 1)
      }
    }
    #expect(texts == [message, message])
  }
}

/// Adds its first action, 1, by itself.
private actor StartingReactor: Reactor {
  typealias Action = Int

  let initialState = 0
  let pipeline = Pipeline(first: 1)

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
