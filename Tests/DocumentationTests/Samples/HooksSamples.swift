import AsyncAlgorithms
import Reactor

// What the page Hooks shows: compiled, and not run.

private enum Shaped {
  actor SearchReactor: ActionTransforming, MutationTransforming, StateTransforming {
    enum Action: Equatable { case search(String) }
    enum Mutation { case setUser(String) }

    let initialState = ""
    let pipeline = Pipeline()
    let users = AsyncStream<String> { $0.finish() }

    func transform(action: Actions) -> some AsyncSequence<Action, Never> {
      action.removeDuplicates()
    }

    func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
      mutation.merging(users.map { Mutation.setUser($0) })
    }

    func transform(state: States) -> some AsyncSequence<State, Never> {
      state.map { state in
        print(state)
        return state
      }
    }

    func mutate(action: Action) -> MutationStream<Mutation> { .empty }
    func reduce(state: inout String, mutation: Mutation) {}
  }
}

private struct Envelope<Content: Sendable>: Sendable { let content: Content }
private struct Traced<Content: Sendable>: Sendable { let content: Content }

private protocol TracedReactor: Reactor
where Action == Envelope<Command>, Mutation == Traced<Change> {
  associatedtype Command: Sendable
  associatedtype Change: Sendable
}

private actor Payments: TracedReactor, LanedReactor, MutationTransforming {
  typealias Command = Int
  typealias Change = Int

  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Envelope<Int>) -> Lane? { nil }
  func mutate(action: Envelope<Int>) -> MutationStream<Traced<Int>> {
    .just(Traced(content: action.content))
  }
  func transform(mutation: Mutations) -> some AsyncSequence<Traced<Int>, Never> { mutation }
  func reduce(state: inout Int, mutation: Traced<Int>) { state += mutation.content }
}
