package import Reactor

/// A counter that answers, in its own turn.
package actor AskedCounter: Reactor {
  package enum Action: Sendable { case increase(Reply<Int>) }
  package typealias Mutation = Counter.Mutation

  package let initialState = Counter.State()
  package let pipeline = Pipeline()

  package init() {}

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase(let reply):
      reply(1)
      return .just(.add(1))
    }
  }

  package func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }
}

package enum Asking {
  /// `await counter.ask { … }`, one after the other, of a reactor that has nothing else to do.
  package static let idle: Workload = { count in
    let counter = AskedCounter()
    _ = try? await counter.ask { .increase($0) }
    let watch = Stopwatch()
    var sum = 0
    for _ in 0..<count { sum &+= (try? await counter.ask { .increase($0) }) ?? 0 }
    let reading = watch.reading
    check(sum, is: count)
    return reading
  }
}
