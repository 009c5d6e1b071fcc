import Reactor

/// Sending while somebody watches.
package enum Watching {
  /// One observer that gets every state; until it has seen the last.
  package static let oneObserver: Workload = { count in
    let counter = Counter()
    var states = counter.state.makeAsyncIterator()
    _ = await states.next()
    let observer = Task { [states] in
      var states = states
      while let state = await states.next(), state.value < count {}
    }
    let watch = Stopwatch()
    for _ in 0..<count { counter.send(.increase) }
    await observer.value
    return watch.elapsed
  }

  /// So many observers that have seen a state and are busy with it.
  package static func idleObservers(_ observers: Int) -> Workload {
    { count in
      let counter = Counter()
      var iterators: [StateStream<Counter.State>.Iterator] = []
      for _ in 0..<observers {
        var iterator = counter.state.makeAsyncIterator()
        _ = await iterator.next()
        iterators.append(iterator)
      }
      let watch = Stopwatch()
      for _ in 1..<count { counter.send(.increase) }
      await counter.send(.increase).settled
      let elapsed = watch.elapsed
      withExtendedLifetime(iterators) {}
      return elapsed
    }
  }

  /// So many observers that all see every state; until the last has seen the last.
  package static func waitingObservers(_ observers: Int) -> Workload {
    { count in
      let counter = Counter()
      let (seen, hasSeen) = AsyncStream.makeStream(of: Void.self)
      var everybody = seen.makeAsyncIterator()
      for _ in 0..<observers {
        let states = counter.state
        // No group: taking a task out of one takes as long as there are tasks.
        Task {
          for await state in states {
            if state.value == 1 || state.value == count + 1 { hasSeen.yield() }
            if state.value == count + 1 { return }
          }
        }
      }
      // Beginning to watch is not what is measured.
      await counter.send(.increase).settled
      for _ in 0..<observers { await everybody.next() }
      let watch = Stopwatch()
      for _ in 0..<count { counter.send(.increase) }
      for _ in 0..<observers { await everybody.next() }
      return watch.elapsed
    }
  }

  /// An array of so many elements in the state, watched by somebody who wants the newest only.
  package static func newestOfArray(_ elements: Int) -> Workload {
    { count in
      let reactor = ArrayReactor(count: elements)
      var states = reactor.state.buffering(.newest).makeAsyncIterator()
      _ = await states.next()
      // The observer has the state in its hands: the first mutation copies it, the others do not.
      await reactor.send(3).settled
      let watch = Stopwatch()
      for _ in 1..<count { reactor.send(3) }
      await reactor.send(3).settled
      let elapsed = watch.elapsed
      use(await states.next())
      return elapsed
    }
  }
}

/// What watching is held against.
package enum WatchingFloors {
  /// `AsyncStream`, one producer, one consumer, until the last has come.
  package static let asyncStream: Workload = { count in
    let (stream, continuation) = AsyncStream<Counter.State>.makeStream()
    let observer = Task {
      var states = stream.makeAsyncIterator()
      while let state = await states.next(), state.value < count {}
    }
    let watch = Stopwatch()
    for value in 1...count { continuation.yield(Counter.State(value: value)) }
    await observer.value
    return watch.elapsed
  }

  /// The same in step: one element there, one back, so that every one is waited for.
  package static let asyncStreamInStep: Workload = { count in
    let (there, sender) = AsyncStream<Int>.makeStream()
    let (back, answerer) = AsyncStream<Int>.makeStream()
    let other = Task { for await value in there { answerer.yield(value) } }
    var answers = back.makeAsyncIterator()
    let watch = Stopwatch()
    for value in 0..<count {
      sender.yield(value)
      _ = await answers.next()
    }
    let elapsed = watch.elapsed
    sender.finish()
    await other.value
    return elapsed
  }
}
