import Reactor
import ReactorTesting
import Testing
import TestLimits

// The samples of the page Testing a reactor about pulses, refusals and restarts, copied by hand.

@Suite(.bounded) struct TestingPageStepTests {
  actor DraftReactor: Reactor {
    enum Action { case write(String), save }
    struct State: Equatable {
      var text = ""
      @Pulse var alert: String?
    }

    let initialState = State()
    let pipeline = Pipeline(inboxLimit: 1)

    func reduce(state: inout State, mutation: Action) {
      switch mutation {
      case .write(let text): state.text = text
      case .save: state.alert = "saved"
      }
    }
  }

  @Test func `every save fires the alert`() async throws {
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

  // MARK: Asking

  actor DeskReactor: Reactor {
    enum Action { case draw(String, Reply<Int>) }
    enum Mutation: Equatable { case drawn(String) }
    struct State: Equatable { var waiting: [String] = [] }

    let initialState = State()
    let pipeline = Pipeline()
    let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) { self.clock = clock }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .draw(let name, let reply):
        .run { emit in
          try await self.clock.sleep(for: .seconds(1))
          await emit(.drawn(name))
          reply(self.currentState.waiting.count)
        }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .drawn(let name): state.waiting.append(name)
      }
    }
  }

  @Test func `a visitor has a number after a second`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(DeskReactor(clock: simulation.clock), in: simulation)

      async let answer = test.reactor.ask { .draw("Ann", $0) }
      await test.advance(by: .seconds(1))
      await test.receive(.drawn("Ann")) { $0.waiting = ["Ann"] }
      let number = try await answer
      #expect(number == 1)
      await test.finish()
    }
  }
}
