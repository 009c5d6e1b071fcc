import Reactor
import TestSupport

/// Checks each sender's order as it goes.
actor HammeredReactor: Reactor {
  struct Action { let sender, number: Int }
  struct State {
    var next: [Int]
    var total = 0
    var isOrdered = true
  }

  let initialState: State
  let pipeline = Pipeline()

  init(senders: Int) { initialState = State(next: Array(repeating: 0, count: senders)) }

  func reduce(state: inout State, mutation: Action) {
    if state.next[mutation.sender] != mutation.number { state.isOrdered = false }
    state.next[mutation.sender] = mutation.number + 1
    state.total += 1
  }
}

/// Reports when it is released.
actor ShortLivedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let released: Log<Int>

  init(_ released: Log<Int>) { self.released = released }

  deinit { released.append(0) }

  func mutate(action: Int) -> MutationStream<Int> {
    action % 2 == 0 ? .just(action) : .run { emit in await emit(action) }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
