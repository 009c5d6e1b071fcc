import Reactor

/// A base protocol that has `mutate` for all, and asks for another function of the same name.
protocol Base: Reactor where Action == Int, Mutation == Int, State == Int {
  func mutate(_ action: Int) -> MutationStream<Int>
}

extension Base {
  func mutate(action: Int) -> MutationStream<Int> { mutate(action) }
}

actor Based: Base {
  let initialState = 0
  let pipeline = Pipeline()
  func mutate(_ action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
