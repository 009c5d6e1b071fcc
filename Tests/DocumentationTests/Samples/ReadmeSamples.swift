import Reactor

// What the README shows of a program: compiled, and not run.
// `scripts/check-pages` finds it here; what can be run is in the tests beside this folder.

private enum Counting {
  actor CounterReactor: Reactor {
    enum Action { case increase, decrease }
    enum Mutation { case add(Int), setLoading(Bool) }
    struct State: Equatable {
      var value = 0
      var isLoading = false
    }

    let initialState = State()
    let pipeline = Pipeline()  // the one line of storage
    let clock = ContinuousClock()

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .increase: add(1)
      case .decrease: add(-1)
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .add(let amount): state.value += amount
      case .setLoading(let isLoading): state.isLoading = isLoading
      }
    }

    private func add(_ amount: Int) -> MutationStream<Mutation> {
      .run { emit in
        await emit(.setLoading(true))
        try await clock.sleep(for: .milliseconds(500))
        await emit(.add(amount))
        await emit(.setLoading(false))
      }
    }
  }

  static func main() async {
    let counter = CounterReactor()

    counter.send(.increase)
    await counter.send(.increase).settled
    print(await counter.currentState.value)

    for await state in counter.state {
      print(state)
      if !state.isLoading { break }
    }
  }
}
