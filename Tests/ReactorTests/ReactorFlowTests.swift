import AsyncAlgorithms
import Reactor
import Testing
import TestLimits

/// ReactorKit's own best test: every stage appends its name.
private actor StageLogger: Reactor {
  typealias Action = [String]
  typealias Mutation = [String]
  typealias State = [String]

  let initialState: [String] = []
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<[String], Never> {
    action.map { $0 + ["transformedAction"] }
  }

  func mutate(action: [String]) -> MutationStream<[String]> { .just(action + ["mutation"]) }

  func transform(mutation: Mutations) -> some AsyncSequence<[String], Never> {
    mutation.map { $0 + ["transformedMutation"] }
  }

  func reduce(state: inout [String], mutation: [String]) { state += mutation + ["reduce"] }

  func transform(state: States) -> some AsyncSequence<[String], Never> {
    state.map { $0 + ["transformedState"] }
  }
}

@Suite(.bounded) struct ReactorFlowTests {
  @Test func `an action passes every stage once, in order`() async {
    let reactor = StageLogger()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == ["transformedState"])

    await reactor.send(["action"]).settled

    let passed = ["action", "transformedAction", "mutation", "transformedMutation", "reduce"]
    #expect(await states.next() == passed + ["transformedState"])
    #expect(await reactor.currentState == passed)
  }
}
