import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Children of a reactor with hooks: what they say passes `transform(mutation:)`, and what
/// `transform(state:)` shows has no say in which of them there are.
private actor HookedHouse: Reactor {
  enum Mutation: Sendable {
    case lodgers(Set<String>)
    case heard(String)
  }
  typealias Action = Set<String>

  struct State: Sendable {
    var lodgers: Set<String> = []
    var heard: [String] = []
  }

  nonisolated let initialState = State()
  nonisolated let pipeline = Pipeline()
  nonisolated let lodgers: ReactorChildren<String, LodgerReactor>

  init(_ eventLog: LodgerReactor.EventLog) {
    lodgers = pipeline.children(\.lodgers) { name, _ in
      LodgerReactor(name, eventLog)
    } output: { name, line in
      .heard("\(name): \(line)")
    }
  }

  func mutate(action: Set<String>) -> MutationStream<Mutation> { .just(.lodgers(action)) }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.map { mutation in
      if case .heard(let line) = mutation { .heard("(\(line))") } else { mutation }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .lodgers(let names): state.lodgers = names
    case .heard(let line): state.heard.append(line)
    }
  }

  func transform(state: States) -> some AsyncSequence<State, Never> {
    state.map { state in
      var shown = state
      shown.lodgers = []
      return shown
    }
  }
}

@Suite(.bounded) struct ChildrenHookTests {
  private let eventLog = LodgerReactor.EventLog()

  @Test func `an output of a child passes the hook over the mutations`() async {
    let house = HookedHouse(eventLog)
    await house.send(["ann"]).settled
    house.lodgers["ann"]?.send(.say("one"))
    house.lodgers["ann"]?.send(.say("two"))
    let state = await house.state.first { $0.heard.count == 2 }
    #expect(state?.heard == ["(ann: one)", "(ann: two)"])
    #expect(state?.lodgers == [])
  }

  @Test func `behind hooks children begin, end and drain like others`() async {
    let (house, gate) = (HookedHouse(eventLog), Gate())
    await house.send(["ann", "bob"]).settled
    await house.send(["bob"]).settled
    #expect(house.lodgers.count == 1)
    house.lodgers["bob"]?.send(.work(gate))
    await gate.reached()
    let stopped = house.stop(.drain)
    gate.open()
    await stopped.settled
    #expect(await house.currentState.heard == ["(bob: done)"])
    #expect(await Set(eventLog.released.entries(upTo: 2)) == ["ann", "bob"])
  }
}
