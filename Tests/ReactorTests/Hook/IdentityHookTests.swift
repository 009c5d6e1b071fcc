import Reactor
import Testing
import TestLimits

/// Hooks that hand on what they are given: their sequences are the inputs' own.
@Suite(.bounded) struct IdentityHookTests {
  actor Same: Reactor {
    typealias Action = Int
    typealias Mutation = Int

    let initialState = 0
    let pipeline = Pipeline()

    func transform(action: Actions) -> some AsyncSequence<Action, Never> { action }
    func transform(mutation: Mutations) -> Mutations { mutation }
    func transform(state: States) -> some AsyncSequence<State, Never> { state }
    func mutate(action: Int) -> MutationStream<Int> { .just(action) }
    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test func `a hook that returns its input passes every action`() async {
    let reactor = Same()
    await reactor.send(3).settled
    #expect(await reactor.currentState == 3)
  }
}
