import Reactor

/// A base protocol that has `mutate` for all, where a mutation is an action.
protocol Doubling: Reactor where Action == Int, Mutation == Int, State == Int {}

extension Doubling {
  func mutate(action: Int) -> MutationStream<Int> { .of(action, action) }
}

actor Doubled: Doubling {
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// One that has `mutate` in an extension, where the default could stand in for it.
actor Extended: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

extension Extended {
  func mutate(action: Int) -> MutationStream<Int> { .of(action, action) }
}

/// One that names what insists on it.
actor Insisting: ActionMutating {
  let initialState = 0
  let pipeline = Pipeline()
  func mutate(action: Int) -> MutationStream<Int> { .of(action, action) }
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

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
