import Reactor
import Testing
import TestLimits

/// What an author need not write.
@Suite(.bounded) struct DefaultsTests {
  @Test func `where Mutation is Action, the action is its own mutation`() async {
    let reactor = EchoReactor()
    await reactor.send(3).settled
    #expect(await reactor.currentState == 3)
  }

  @Test func `where Mutation is Never, nothing is ever reduced`() async {
    let reactor = NeverReactor()
    await reactor.send(1).settled
    #expect(await reactor.currentState == 0)
  }

  @Test func `a mutation left out is the action, however it is spelled`() async {
    let reactor = NaturalReactor()
    await reactor.send(.add(2)).settled
    #expect(await reactor.currentState.value == 2)
    let generic = GenericReactor<String>()
    await generic.send(.put("a")).settled
    #expect(await generic.currentState.values == ["a"])
  }
}

private actor EchoReactor: Reactor {
  typealias Action = Int
  typealias State = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

private actor NeverReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Never
  typealias State = Int
  let initialState = 0
  let pipeline = Pipeline()
  func mutate(action: Int) -> MutationStream<Never> { .empty }
  func reduce(state: inout Int, mutation: Never) {}
}

/// Leaves `Mutation` out and says it all the same.
private actor NaturalReactor: Reactor {
  enum Action { case add(Int) }
  struct State { var value = 0 }
  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let amount): state.value += amount
    }
  }
}

private actor GenericReactor<Value: Sendable & Equatable>: Reactor {
  enum Action { case put(Value) }
  struct State { var values: [Value] = [] }
  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .put(let value): state.values.append(value)
    }
  }
}
