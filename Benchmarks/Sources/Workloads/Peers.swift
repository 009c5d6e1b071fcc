import OpenCombine
import Reactor
import Synchronization

/// What was there before, built from OpenCombine, which builds wherever Swift does.
///
/// All of it is for one thread, and done when `send` returns.
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
    let reading = watch.reading
    subscription.cancel()
    check(last.value, is: count)
    return reading
  }

  /// ReactorKit's pipeline, with so many subscribers.
  package static func reactorKit(subscribers: Int) -> Workload {
    { count in PeerReactor().send(count, subscribers: subscribers) }
  }

  /// The same on the main actor.
  package static let reactorKitOnMain: Workload = { @MainActor count in
    PeerReactor().send(count, subscribers: 1)
  }

  /// The same, where each action leads to three mutations.
  package static let reactorKitThree: Workload = { count in
    let reactor = PeerReactor { _ in
      Publishers.Sequence(sequence: [.add(1), .add(1), .add(1)]).eraseToAnyPublisher()
    }
    return reactor.send(count, subscribers: 0, mutations: 3)
  }

  /// Made, used once, let go.
  package static let reactorKitCreateUseRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count {
      let reactor = PeerReactor()
      reactor.action.send(.increase)
      check(reactor.state.value.value, is: 1)
    }
    return watch.reading
  }

  /// So many reactors with a lock each, ten actions to each in a row, from eight tasks.
  package static func reactorKits(_ instances: Int) -> Workload {
    { count in
      let reactors = (0..<instances).map { _ in Locked(PeerReactor()) }
      let each = count / instances
      let watch = Stopwatch()
      await Instances.eightShares(of: instances) { share in
        for index in share {
          for _ in 0..<each { reactors[index].use { $0.action.send(.increase) } }
        }
      }
      let reading = watch.reading
      for reactor in reactors { reactor.use { check($0.state.value.value, is: each) } }
      return reading
    }
  }

  /// Our own, observed as the peers are: one action at a time, and the observer has seen its state.
  package static let reactorInStep: Workload = { count in
    let counter = Counter()
    var states = counter.state.makeAsyncIterator()
    _ = await states.next()
    let watch = Stopwatch()
    for value in 1...count {
      await counter.send(.increase).settled
      check(await states.next()?.value, is: value)
    }
    return watch.reading
  }
}

/// ReactorKit, row by row: `action.flatMap(mutate).scan(reduce).startWith(initial).replay(1)`, the two
/// hooks in between as they are when nobody has written them.
private final class PeerReactor {
  let action = PassthroughSubject<Counter.Action, Never>()
  let state = CurrentValueSubject<Counter.State, Never>(Counter.State())
  private var connection: (any Cancellable)?

  init(
    mutate: @escaping (Counter.Action) -> AnyPublisher<Counter.Mutation, Never> = {
      Just(Counting.mutate($0)).eraseToAnyPublisher()
    }
  ) {
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

  func send(_ count: Int, subscribers: Int, mutations: Int = 1) -> Reading {
    var last = [Counter.State](repeating: Counter.State(), count: subscribers)
    let subscriptions = last.indices.map { index in state.sink { last[index] = $0 } }
    let watch = Stopwatch()
    for _ in 0..<count { action.send(.increase) }
    let reading = watch.reading
    for subscription in subscriptions { subscription.cancel() }
    check(state.value.value, is: count * mutations)
    check(last.allSatisfy { $0.value == count * mutations }, is: true)
    return reading
  }
}
