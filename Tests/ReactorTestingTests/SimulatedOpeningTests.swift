import Reactor
import ReactorTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct SimulatedOpeningTests {
  @Test func `what an effect emits before it suspends comes before the next action`() async throws {
    try await simulate { _ in
      let reactor = OpeningReactor()
      reactor.send(.effect)
      await reactor.send(.plain).settled
      let state = await reactor.currentState
      withKnownIssue { #expect(state == ["effect", "plain"]) }
    }
  }

  @Test func `so does what an effect elsewhere emits`() async throws {
    try await simulate { _ in
      let reactor = OpeningReactor()
      reactor.send(.elsewhere)
      await reactor.send(.plain).settled
      #expect(await reactor.currentState == ["elsewhere", "plain"])
    }
  }

  @Test func `outside a simulation, too`() async throws {
    let reactor = OpeningReactor()
    reactor.send(.effect)
    await reactor.send(.plain).settled
    #expect(await reactor.currentState == ["effect", "plain"])
  }
}

private actor OpeningReactor: Reactor {
  enum Action { case effect, elsewhere, plain }
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .effect:
      .run { emit in
        _ = self.pipeline
        await emit("effect")
      }
    case .elsewhere: Self.elsewhere
    case .plain: .just("plain")
    }
  }

  private static var elsewhere: MutationStream<String> { .run { emit in await emit("elsewhere") } }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}
