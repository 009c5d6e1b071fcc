package import Reactor

/// Sending without anybody watching.
package enum Sending {
  /// `send`, as often as asked, and then waiting until the last has been taken.
  package static let noObserver: Workload = { count in await fromOutside(Counter(), count) }

  /// The same, with an observer that needs this, and does nothing.
  package static func observedFromOutside(_ needs: ObserverNeeds) -> Workload {
    { count in
      let counter = Counter()
      let registration = counter.addObserver(Idle(needs: needs))
      defer { registration.remove() }
      return await fromOutside(counter, count)
    }
  }

  private static func fromOutside(_ counter: Counter, _ count: Int) async -> Reading {
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 1..<count { counter.send(.increase) }
    await counter.send(.increase).settled
    let reading = watch.reading
    check(await counter.currentState.value, is: count + 1)
    return reading
  }

  /// The same, sent from inside, so that none is taken before the last is there: always in the same
  /// order, for counting instructions.
  package static let fromInside: Workload = { count in await fromInside(Counter(), count) }

  private static func fromInside(_ counter: Counter, _ count: Int) async -> Reading {
    await counter.send(.increase).settled
    let watch = Stopwatch()
    await counter.sendInside(count - 1)
    await counter.send(.increase).settled
    let reading = watch.reading
    check(await counter.currentState.value, is: count + 1)
    return reading
  }

  /// The same, with an observer that needs this, and does nothing.
  package static func observed(_ needs: ObserverNeeds) -> Workload {
    { count in
      let counter = Counter()
      counter.addObserver(Idle(needs: needs))
      return await fromInside(counter, count)
    }
  }

  private struct Idle: ReactorObserver {
    let needs: ObserverNeeds
    func observe(_ step: ReactorStep) {}
  }

  /// `await send(…).settled`, one after the other, on a reactor that has nothing else to do.
  package static let settled: Workload = { count in
    let counter = Counter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 0..<count { await counter.send(.increase).settled }
    let reading = watch.reading
    check(await counter.currentState.value, is: count + 1)
    return reading
  }

  /// As many actions all in all, from so many tasks at a time.
  package static func producers(_ producers: Int) -> Workload {
    { count in
      let counter = Counter()
      await counter.send(.increase).settled
      let watch = Stopwatch()
      await together(producers) { for _ in 0..<count / producers { counter.send(.increase) } }
      await counter.send(.increase).settled
      let reading = watch.reading
      check(await counter.currentState.value, is: count / producers * producers + 2)
      return reading
    }
  }

  /// A hook that changes nothing.
  package static let throughHook: Workload = { count in
    let counter = HookedCounter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 1..<count { counter.send(.increase) }
    await counter.send(.increase).settled
    let reading = watch.reading
    check(await counter.currentState.value, is: count + 1)
    return reading
  }
}

extension Counter {
  fileprivate func sendInside(_ count: Int) { for _ in 0..<count { send(.increase) } }
}

/// So many tasks at a time, until all have ended.
func together(_ tasks: Int, _ body: @escaping @Sendable () async -> Void) async {
  await withDiscardingTaskGroup { group in
    for _ in 0..<tasks { group.addTask(operation: body) }
  }
}
