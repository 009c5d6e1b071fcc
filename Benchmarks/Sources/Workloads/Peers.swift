import OpenCombine
import Reactor

/// What was there before, built from OpenCombine, which builds wherever Swift does.
package enum Peers {
  /// A subject and a `scan`, one subscriber: no isolation, no effects, no replay.
  package static let scan: Workload = { count in
    let actions = PassthroughSubject<Counter.Action, Never>()
    var last = Counter.State()
    let subscription =
      actions
      .scan(Counter.State()) { state, action in
        var state = state
        Counting.reduce(&state, Counting.mutate(action))
        return state
      }
      .sink { last = $0 }
    let watch = Stopwatch()
    for _ in 0..<count { actions.send(.increase) }
    let elapsed = watch.elapsed
    subscription.cancel()
    use(last)
    return elapsed
  }

  /// ReactorKit's pipeline, with so many subscribers.
  package static func reactorKit(subscribers: Int) -> Workload {
    { count in
      let reactor = PeerReactor { Just(Counting.mutate($0)).eraseToAnyPublisher() }
      return reactor.send(count, subscribers: subscribers)
    }
  }

  /// The same, where each action leads to three mutations.
  package static let reactorKitThree: Workload = { count in
    let reactor = PeerReactor { _ in
      Publishers.Sequence(sequence: [.add(1), .add(1), .add(1)]).eraseToAnyPublisher()
    }
    return reactor.send(count, subscribers: 0)
  }

  /// Made, used once, let go.
  package static let reactorKitCreateUseRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count {
      let reactor = PeerReactor { Just(Counting.mutate($0)).eraseToAnyPublisher() }
      reactor.action.send(.increase)
      use(reactor.state.value)
    }
    return watch.elapsed
  }

  /// Our own, observed as the peers are: one action at a time, and the observer has seen its state.
  package static let reactorInStep: Workload = { count in
    let counter = Counter()
    var states = counter.state.makeAsyncIterator()
    _ = await states.next()
    let watch = Stopwatch()
    for _ in 0..<count {
      await counter.send(.increase).settled
      _ = await states.next()
    }
    return watch.elapsed
  }
}

/// ReactorKit, row by row: `action.flatMap(mutate).scan(reduce).startWith(initial).replay(1)`, the two
/// hooks in between as they are when nobody has written them.
private final class PeerReactor {
  let action = PassthroughSubject<Counter.Action, Never>()
  let state = CurrentValueSubject<Counter.State, Never>(Counter.State())
  private var connection: (any Cancellable)?

  init(mutate: @escaping (Counter.Action) -> AnyPublisher<Counter.Mutation, Never>) {
    let transformedAction = action.eraseToAnyPublisher()
    let mutation = transformedAction.flatMap { mutate($0) }.eraseToAnyPublisher()
    let transformedState =
      mutation
      .scan(Counter.State()) { state, mutation in
        var state = state
        Counting.reduce(&state, mutation)
        return state
      }
      .prepend(Counter.State())
      .eraseToAnyPublisher()
    connection = transformedState.multicast(subject: state).connect()
  }

  deinit { connection?.cancel() }

  func send(_ count: Int, subscribers: Int) -> Duration {
    var last = Counter.State()
    let subscriptions = (0..<subscribers).map { _ in state.sink { last = $0 } }
    let watch = Stopwatch()
    for _ in 0..<count { action.send(.increase) }
    let elapsed = watch.elapsed
    for subscription in subscriptions { subscription.cancel() }
    use(last)
    return elapsed
  }
}
