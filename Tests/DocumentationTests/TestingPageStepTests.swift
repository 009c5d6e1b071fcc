import Reactor
import ReactorTesting
import Testing

// The samples of the page Testing a reactor about pulses, refusals and restarts, copied by hand.

@Suite(.timeLimit(.minutes(10))) struct TestingPageStepTests {
  actor DraftReactor: Reactor {
    enum Action { case write(String), save }
    struct State: Equatable {
      var text = ""
      @Pulse var alert: String?
    }

    let initialState = State()
    let pipeline = Pipeline(inbox: .atMost(1, whenFull: .refuse))

    func reduce(state: inout State, mutation: Action) {
      switch mutation {
      case .write(let text): state.text = text
      case .save: state.alert = "saved"
      }
    }
  }

  @Test func `every time it is saved, it says so`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(DraftReactor(), in: simulation)
      await test.send(.save) { $0.alert = "saved" }
      await test.send(.save) { $0.alert = "saved" }
      await test.finish()
    }
  }

  @Test func `one change may wait`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(DraftReactor(), in: simulation)
      test.reactor.send(.write("a"))
      await test.sendRefused(.write("b"), because: .inboxFull)
      await test.receive { $0.text = "a" }
      await test.finish()
    }
  }

  @Test func `a new draft`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(DraftReactor(), in: simulation)
      await test.send(.write("a")) { $0.text = "a" }
      await test.reactor.restart(from: .init())
      await test.receiveRestart { $0.text = "" }
      await test.finish()
    }
  }
}
