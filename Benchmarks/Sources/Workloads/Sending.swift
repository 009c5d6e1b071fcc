import Reactor
import Synchronization

/// Sending without anybody watching.
package enum Sending {
  /// `send`, as often as asked, and then waiting until the last has been taken.
  package static let noObserver: Workload = { count in
    let counter = Counter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 1..<count { counter.send(.increase) }
    await counter.send(.increase).settled
    return watch.elapsed
  }

  /// The same, sent from inside, so that none is taken before the last is there: always in the same
  /// order, for counting instructions.
  package static let fromInside: Workload = { count in
    let counter = Counter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    await counter.sendInside(count - 1)
    await counter.send(.increase).settled
    return watch.elapsed
  }

  /// `await send(…).settled`, one after the other, on a reactor that has nothing else to do.
  package static let settled: Workload = { count in
    let counter = Counter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 0..<count { await counter.send(.increase).settled }
    return watch.elapsed
  }

  /// The same number of actions from two threads at a time.
  package static let twoProducers: Workload = { count in
    let counter = Counter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    async let first: Void = send(count / 2, to: counter)
    async let second: Void = send(count - count / 2, to: counter)
    _ = await (first, second)
    await counter.send(.increase).settled
    return watch.elapsed
  }

  private static func send(_ count: Int, to counter: Counter) async {
    for _ in 0..<count { counter.send(.increase) }
  }

  /// A hook that changes nothing.
  package static let throughHook: Workload = { count in
    let counter = HookedCounter()
    await counter.send(.increase).settled
    let watch = Stopwatch()
    for _ in 1..<count { counter.send(.increase) }
    await counter.send(.increase).settled
    return watch.elapsed
  }

  /// Made, used once, let go.
  package static let createUseRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count { await Counter().send(.increase).settled }
    // Until the jobs that were made have ended as well, and with them their reactors.
    for _ in 0..<3 { await Task.yield() }
    return watch.elapsed
  }
}

extension Counter {
  fileprivate func sendInside(_ count: Int) { for _ in 0..<count { send(.increase) } }
}

/// What sending is held against.
package enum SendingFloors {
  /// An array behind a lock, appended to, swapped out, and folded by a loop over the same `reduce`.
  ///
  /// The least that lets any thread send in order; nobody is told that there is something to do.
  package static let lockedArray: Workload = { count in
    let inbox = LockedInbox()
    let watch = Stopwatch()
    for _ in 0..<count { inbox.send(.increase) }
    use(inbox.drain())
    return watch.elapsed
  }

  /// `await actor.method()`: a call for each.
  package static let actorCall: Workload = { count in
    let bare = BareActor()
    let watch = Stopwatch()
    for _ in 0..<count { await bare.send(.increase) }
    return watch.elapsed
  }

  /// An actor made, told something by a task nobody waits for, called once, let go: the least for one that
  /// can be sent something.
  package static let createTellRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count {
      let bare = BareActor()
      Task { await bare.send(.increase) }
      await bare.send(.increase)
    }
    for _ in 0..<3 { await Task.yield() }
    return watch.elapsed
  }

  /// An actor made, called once, let go.
  package static let createCallRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count { await BareActor().send(.increase) }
    // Until the jobs that were made have ended as well, and with them their reactors.
    for _ in 0..<3 { await Task.yield() }
    return watch.elapsed
  }
}

private final class LockedInbox: Sendable {
  private let actions = Mutex<[Counter.Action]>([])

  @inline(never)
  func send(_ action: Counter.Action) { actions.withLock { $0.append(action) } }

  func drain() -> Counter.State {
    var batch: [Counter.Action] = []
    actions.withLock { swap(&batch, &$0) }
    var state = Counter.State()
    for action in batch { Counting.reduce(&state, Counting.mutate(action)) }
    return state
  }
}

actor BareActor {
  private var state = Counter.State()

  func send(_ action: Counter.Action) { Counting.reduce(&state, Counting.mutate(action)) }
}
