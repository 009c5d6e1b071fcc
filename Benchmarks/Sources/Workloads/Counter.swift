package import Reactor

/// The smallest reactor: one mutation per action, no hook, no lane.
package actor Counter: Reactor {
  package enum Action: Sendable { case increase, decrease }
  package enum Mutation: Sendable { case add(Int) }
  package struct State: Sendable, Equatable { package var value = 0 }

  package let initialState = State()
  package let pipeline = Pipeline()

  package init() {}

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase: .just(.add(1))
    case .decrease: .just(.add(-1))
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }
}

/// What a counter does with a mutation; the floors and peers do the very same.
enum Counting {
  @inline(__always)
  static func reduce(_ state: inout Counter.State, _ mutation: Counter.Mutation) {
    switch mutation {
    case .add(let amount): state.value += amount
    }
  }

  @inline(__always)
  static func mutate(_ action: Counter.Action) -> Counter.Mutation {
    switch action {
    case .increase: .add(1)
    case .decrease: .add(-1)
    }
  }
}

/// The same, counting aside what was reduced, for those that are gone before anybody can look.
actor CountedCounter: Reactor {
  typealias Action = Counter.Action
  typealias Mutation = Counter.Mutation

  let initialState = Counter.State()
  let pipeline = Pipeline()
  private let countdown: Countdown

  init(_ countdown: Countdown) { self.countdown = countdown }

  func mutate(action: Action) -> MutationStream<Mutation> { .just(Counting.mutate(action)) }

  func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
    countdown.step()
  }
}

/// The same, on the main actor's executor.
actor MainCounter: Reactor {
  typealias Action = Counter.Action
  typealias Mutation = Counter.Mutation

  let initialState = Counter.State()
  let pipeline = Pipeline()
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  func mutate(action: Action) -> MutationStream<Mutation> { .just(Counting.mutate(action)) }

  func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }
}

/// The same, with a hook that changes nothing.
package actor HookedCounter: Reactor {
  package typealias Action = Counter.Action
  package typealias Mutation = Counter.Mutation

  package let initialState = Counter.State()
  package let pipeline = Pipeline()

  package init() {}

  package func transform(
    mutation: Mutations
  ) -> some AsyncSequence<Counter.Mutation, Never> { mutation.map { $0 } }

  package func mutate(action: Action) -> MutationStream<Mutation> { .just(Counting.mutate(action)) }

  package func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }
}

/// An array in the state: what a mutation costs must not depend on how long it is.
package actor ArrayReactor: Reactor {
  package typealias Action = Int

  package let initialState: [Int]
  package let pipeline = Pipeline()

  package init(count: Int) { initialState = Array(repeating: 0, count: count) }

  package func reduce(state: inout [Int], mutation: Int) { state[mutation] += 1 }
}
