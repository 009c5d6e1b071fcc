import Reactor

/// Used from the main actor, as by a user interface.
package enum OnMain {
  /// One action at a time, waited for; the reactor runs on the pool.
  package static let settledOnPool: Workload = { @MainActor count in
    let counter = Counter()
    return await settled(count, counter)
  }

  /// The same, where the reactor runs on the main actor's executor.
  package static let settledOnMain: Workload = { @MainActor count in
    let counter = MainCounter()
    return await settled(count, counter)
  }

  /// One action at a time, and an observer on the main actor has seen its state; the reactor runs on the pool.
  package static let observedOnPool: Workload = { @MainActor count in
    let counter = Counter()
    return await observed(count, counter)
  }

  /// The same, where the reactor runs on the main actor's executor.
  package static let observedOnMain: Workload = { @MainActor count in
    let counter = MainCounter()
    return await observed(count, counter)
  }

  @MainActor
  private static func settled<R: Reactor>(_ count: Int, _ counter: R) async -> Reading
  where R.Action == Counter.Action, R.State == Counter.State {
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 0..<count { await counter.send(.increase).settled }
    let reading = watch.reading
    check(await counter.currentState.value, is: count + 1)
    return reading
  }

  @MainActor
  private static func observed<R: Reactor>(_ count: Int, _ counter: R) async -> Reading
  where R.Action == Counter.Action, R.State == Counter.State {
    var states = counter.state.makeAsyncIterator()
    check(await states.next()?.value, is: 0)
    let watch = Stopwatch()
    for value in 1...count {
      counter.send(.increase)
      check(await states.next()?.value, is: value)
    }
    return watch.reading
  }
}

/// What is held against it.
package enum OnMainFloors {
  /// `await actor.method()`, from the main actor.
  package static let actorCall: Workload = { @MainActor count in
    let bare = BareActor()
    let watch = Stopwatch()
    for _ in 0..<count { await bare.send(.increase) }
    let reading = watch.reading
    check(await bare.state.value, is: count)
    return reading
  }
}
