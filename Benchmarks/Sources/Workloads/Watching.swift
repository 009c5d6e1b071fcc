import Reactor

/// Sending while somebody watches.
package enum Watching {
  /// One observer that gets every state; until it has seen the last.
  package static let oneObserver: Workload = { count in
    let counter = Counter()
    var states = counter.state.makeAsyncIterator()
    _ = await states.next()
    let observer = Task { [states] in
      var (states, taken) = (states, 0)
      while let state = await states.next() {
        taken += 1
        if state.value == count { break }
      }
      return taken
    }
    let watch = Stopwatch()
    for _ in 0..<count { counter.send(.increase) }
    let taken = await observer.value
    let reading = watch.reading
    check(taken, is: count)
    return reading
  }

  /// So many observers that have seen a state and are busy with it; until all has been sent and reduced.
  ///
  /// Then they take every state that came meanwhile, which is looked at, and not counted: this is what
  /// sending costs whoever sends. ``catchingUp(_:)`` counts it. With `takeAll: false`, they take none.
  package static func busyObservers(_ observers: Int, takeAll: Bool = true) -> Workload {
    { count in
      let counter = Counter()
      let busy = await BusyObservers(observers, of: counter, toTake: takeAll ? count : 0)
      let watch = Stopwatch()
      for _ in 1..<count { counter.send(.increase) }
      await counter.send(.increase).settled
      let reading = watch.reading
      await busy.catchUp()
      return reading
    }
  }

  /// So many observers that are busy until all has been reduced, and then take every state; for each.
  ///
  /// Until the last has taken the last.
  package static func catchingUp(_ observers: Int) -> Workload {
    { count in
      let counter = Counter()
      let busy = await BusyObservers(observers, of: counter, toTake: count)
      let watch = Stopwatch()
      for _ in 1..<count { counter.send(.increase) }
      await counter.send(.increase).settled
      await busy.catchUp()
      return watch.reading.shared(by: observers)
    }
  }

  /// So many observers that all see every state; until the last has seen the last.
  package static func waitingObservers(_ observers: Int) -> Workload {
    { count in
      let counter = Counter()
      let (seen, hasSeen) = AsyncStream.makeStream(of: Int.self)
      var everybody = seen.makeAsyncIterator()
      for _ in 0..<observers {
        let states = counter.state
        // No group: taking a task out of one takes as long as there are tasks.
        Task {
          var expected: Int?
          for await state in states {
            check(state.value, is: expected ?? state.value)
            expected = state.value + 1
            if state.value == 1 || state.value == count + 1 { hasSeen.yield(state.value) }
            if state.value == count + 1 { return }
          }
        }
      }
      // Beginning to watch is not what is measured.
      await counter.send(.increase).settled
      for _ in 0..<observers { check(await everybody.next(), is: 1) }
      let watch = Stopwatch()
      for _ in 0..<count { counter.send(.increase) }
      for _ in 0..<observers { check(await everybody.next(), is: count + 1) }
      return watch.reading
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
      let reading = watch.reading
      check(await states.next()?[3], is: count + 1)
      return reading
    }
  }
}

// MARK: Observers

/// Observers that have taken the state that was there, and are busy with it until they are told to go on.
private struct BusyObservers {
  private let observers: [Task<Int, Never>]
  private let isDone = Countdown(1)
  private let toTake: Int

  init(_ count: Int, of counter: Counter, toTake: Int) async {
    let haveBegun = Countdown(count)
    let work = Task { [isDone] in await isDone.isOver }
    observers = (0..<count).map { _ in
      Task {
        var states = counter.state.makeAsyncIterator()
        _ = await states.next()
        haveBegun.step()
        await work.value
        return await takeAll(toTake, &states)
      }
    }
    self.toTake = toTake
    await haveBegun.isOver
  }

  /// Until all have taken what has come.
  func catchUp() async {
    isDone.step()
    for observer in observers { check(await observer.value, is: toTake) }
  }
}

/// Takes until so many have come, none of which was left out.
private func takeAll(
  _ count: Int, _ states: inout StateStream<Counter.State>.Iterator
) async -> Int {
  var taken = 0
  while taken < count, let state = await states.next() {
    taken += 1
    check(state.value, is: taken)
  }
  return taken
}
