import Reactor

/// Many reactors: made and let go one after the other, or used by several tasks.
package enum Instances {
  /// Made, used once, let go.
  package static let createUseRelease: Workload = { count in
    let countdown = Countdown(count)
    let watch = Stopwatch()
    for _ in 0..<count { await CountedCounter(countdown).send(.increase).settled }
    await countdown.isOver
    // Until the jobs that were made have ended as well, and with them their reactors.
    for _ in 0..<3 { await Task.yield() }
    return watch.reading
  }

  /// The same with nothing beside the reactor, for counting instructions.
  package static let createUseReleaseAlone: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count { await Counter().send(.increase).settled }
    for _ in 0..<3 { await Task.yield() }
    return watch.reading
  }

  /// So many reactors, ten actions to each in a row, from eight tasks.
  package static func spread(over instances: Int) -> Workload {
    { count in
      let counters = await Memory.make(instances, isUsed: true)
      let each = count / instances
      let watch = Stopwatch()
      await eightShares(of: instances) { share in
        var last: [ActionReceipt<Counter>] = []
        last.reserveCapacity(share.count)
        for index in share {
          for _ in 1..<each { counters[index].send(.increase) }
          last.append(counters[index].send(.increase))
        }
        for receipt in last { await receipt.settled }
      }
      let reading = watch.reading
      for counter in counters { check(await counter.currentState.value, is: each + 1) }
      return reading
    }
  }

  /// Eight tasks, each with an eighth.
  static func eightShares(
    of count: Int, _ body: @escaping @Sendable (Range<Int>) async -> Void
  ) async {
    await withDiscardingTaskGroup { group in
      for task in 0..<8 {
        group.addTask { await body(count * task / 8..<count * (task + 1) / 8) }
      }
    }
  }
}

/// What many reactors are held against.
package enum InstanceFloors {
  /// An actor made, called once, let go.
  package static let createCallRelease: Workload = { count in
    let countdown = Countdown(count)
    let watch = Stopwatch()
    for _ in 0..<count { await CountedActor(countdown).send(.increase) }
    await countdown.isOver
    for _ in 0..<3 { await Task.yield() }
    return watch.reading
  }

  /// An actor made, told something by a task nobody waits for, called once, let go: the least for one that
  /// can be sent something.
  package static let createTellRelease: Workload = { count in
    let countdown = Countdown(2 * count)
    let watch = Stopwatch()
    for _ in 0..<count {
      let actor = CountedActor(countdown)
      Task { await actor.send(.increase) }
      await actor.send(.increase)
    }
    await countdown.isOver
    for _ in 0..<3 { await Task.yield() }
    return watch.reading
  }

  /// So many actors, told ten things in a row each by a task of its own, from eight tasks, and then
  /// asked once: the least for those that can be sent something.
  package static func toldSpread(over instances: Int) -> Workload {
    { count in
      let actors = (0..<instances).map { _ in BareActor() }
      let each = count / instances
      let watch = Stopwatch()
      await Instances.eightShares(of: instances) { share in
        for index in share {
          let actor = actors[index]
          for _ in 0..<each { Task { await actor.send(.increase) } }
        }
      }
      // Nobody knows when a task has run that nobody waits for.
      for actor in actors { while await actor.state.value < each { await Task.yield() } }
      return watch.reading
    }
  }

  /// So many actors, called ten times in a row each, from eight tasks.
  package static func spread(over instances: Int) -> Workload {
    { count in
      let actors = (0..<instances).map { _ in BareActor() }
      let each = count / instances
      let watch = Stopwatch()
      await Instances.eightShares(of: instances) { share in
        for index in share { for _ in 0..<each { await actors[index].send(.increase) } }
      }
      let reading = watch.reading
      for actor in actors { check(await actor.state.value, is: each) }
      return reading
    }
  }
}

private actor CountedActor {
  private var state = Counter.State()
  private let countdown: Countdown

  init(_ countdown: Countdown) { self.countdown = countdown }

  func send(_ action: Counter.Action) {
    Counting.reduce(&state, Counting.mutate(action))
    countdown.step()
  }
}
