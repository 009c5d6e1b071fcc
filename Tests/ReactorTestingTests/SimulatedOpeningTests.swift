import Reactor
import ReactorTesting
import Testing
import TestLimits

@Suite(.bounded) struct SimulatedOpeningTests {
  @Test func `what an effect emits before it suspends precedes the next action`() async throws {
    try await simulate(seeds: 0..<20) { _ in
      let reactor = OpeningReactor()
      reactor.send(.effect)
      await reactor.send(.plain).settled
      try #require(await reactor.currentState == ["effect", "plain"])
    }
  }

  @Test func `so does what an effect off the actor emits`() async throws {
    try await simulate { _ in
      let reactor = OpeningReactor()
      reactor.send(.elsewhere)
      await reactor.send(.plain).settled
      #expect(await reactor.currentState == ["elsewhere", "plain"])
    }
  }

  @Test func `so it is behind transform(action:)`() async throws {
    try await simulate(seeds: 0..<20) { _ in
      let reactor = OpeningBehindActionHook()
      reactor.send(.effect)
      await reactor.send(.plain).settled
      try #require(await reactor.currentState == ["effect", "plain"])
    }
  }

  @Test func `so it is before transform(mutation:)`() async throws {
    try await simulate(seeds: 0..<20) { _ in
      let reactor = OpeningBeforeMutationHook()
      reactor.send(.effect)
      await reactor.send(.plain).settled
      try #require(await reactor.currentState == ["effect", "plain"])
    }
  }

  @Test func `an action that waited in a lane emits before the next action, too`() async throws {
    try await simulate(seeds: 0..<20) { simulation in
      let reactor = OpeningInLane(clock: simulation.clock)
      reactor.send(.slow)
      reactor.send(.slow)
      await simulation.advance(by: .seconds(1))
      await reactor.send(.plain).settled
      await simulation.advance(by: .seconds(1))
      try #require(await reactor.currentState == ["begin", "end", "begin", "plain", "end"])
    }
  }

  @Test func `an action is delivered after what it emitted at once`() async throws {
    try await simulate { simulation in
      let reactor = OpeningReactor()
      let actions = reactor.actions()
      let heard = Task(executorPreference: simulation.executor) {
        _ = await actions.next()
        return await reactor.currentState
      }
      reactor.send(.effect)
      #expect(await heard.value == ["effect"])
    }
  }

  @Test func `what a hook merges in is simulated as well`() async throws {
    try await simulate { simulation in
      let reactor = OpeningBeforeMutationHook()
      reactor.send(.plain)
      await simulation.settle()
      reactor.events.send("outside")
      await simulation.settle()
      #expect(await reactor.currentState == ["plain", "outside"])
    }
  }

  @Test func `outside a simulation it is so, too`() async throws {
    let reactor = OpeningReactor()
    reactor.send(.effect)
    await reactor.send(.plain).settled
    #expect(await reactor.currentState == ["effect", "plain"])
  }
}

private enum OpeningAction { case effect, elsewhere, plain, slow }

private actor OpeningReactor: Reactor {
  typealias Action = OpeningAction
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
    case .plain, .slow: .just("plain")
    }
  }

  private static var elsewhere: MutationStream<String> { .run { emit in await emit("elsewhere") } }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private actor OpeningBehindActionHook: Reactor {
  typealias Action = OpeningAction
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Action, Never> { action.map { $0 } }

  func mutate(action: Action) -> MutationStream<String> {
    guard case .effect = action else { return .just("plain") }
    return .run { emit in
      _ = self.pipeline
      await emit("effect")
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private actor OpeningBeforeMutationHook: Reactor {
  typealias Action = OpeningAction
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  let events = EventBroadcaster<String>()

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(events.stream())
  }

  func mutate(action: Action) -> MutationStream<String> {
    guard case .effect = action else { return .just("plain") }
    return .run { emit in
      _ = self.pipeline
      await emit("effect")
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private actor OpeningInLane: Reactor {
  typealias Action = OpeningAction
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    if case .slow = action { .sequential("slow") } else { nil }
  }

  func mutate(action: Action) -> MutationStream<String> {
    guard case .slow = action else { return .just("plain") }
    return .run { emit in
      await emit("begin")
      try await clock.sleep(for: .seconds(1))
      await emit("end")
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}
