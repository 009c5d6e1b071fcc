import Synchronization

/// What sending is held against.
package enum SendingFloors {
  /// An array behind a lock, appended to, swapped out, and folded by a loop over the same `reduce`, all by
  /// one thread.
  ///
  /// Nobody is told that there is something to do, and nobody else wants the lock.
  package static let lockedArray: Workload = { count in
    let inbox = LockedInbox()
    let watch = Stopwatch()
    for _ in 0..<count { inbox.send(.increase) }
    let state = inbox.drain()
    let reading = watch.reading
    check(state.value, is: count)
    return reading
  }

  /// The same array, which a task swaps out and folds while others append to it.
  ///
  /// The least that lets any thread send while the work is done by another: whoever appends while nobody
  /// drains makes a task that does.
  package static let sharedArray: Workload = sharedArray(producers: 1)

  /// The same, with as many actions all in all from so many tasks at a time.
  package static func sharedArray(producers: Int) -> Workload {
    { count in
      let each = count / producers
      let inbox = DrainedInbox(expecting: each * producers)
      let watch = Stopwatch()
      await together(producers) { for _ in 0..<each { inbox.send(.increase) } }
      await inbox.isDrained
      return watch.reading
    }
  }

  /// `await actor.method()`: a call for each.
  package static let actorCall: Workload = { count in
    let bare = BareActor()
    let watch = Stopwatch()
    for _ in 0..<count { await bare.send(.increase) }
    let reading = watch.reading
    check(await bare.state.value, is: count)
    return reading
  }

  /// As many calls all in all, from so many tasks at a time.
  package static func actorCalls(from tasks: Int) -> Workload {
    { count in
      let each = count / tasks
      let bare = BareActor()
      let watch = Stopwatch()
      await together(tasks) { for _ in 0..<each { await bare.send(.increase) } }
      let reading = watch.reading
      check(await bare.state.value, is: each * tasks)
      return reading
    }
  }
}

actor BareActor {
  private(set) var state = Counter.State()

  func send(_ action: Counter.Action) { Counting.reduce(&state, Counting.mutate(action)) }
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

/// An inbox that is drained by a task, which is made when there is none.
private final class DrainedInbox: Sendable {
  private struct Contents {
    var actions: [Counter.Action] = []
    var isBeingDrained = false
  }

  private let contents = Mutex(Contents())
  /// Whoever drains holds it; never two at a time.
  private let state = Mutex(Counter.State())
  private let expected: Int
  private let end = Countdown(1)

  init(expecting expected: Int) { self.expected = expected }

  var isDrained: Void { get async { await end.isOver } }

  @inline(never)
  func send(_ action: Counter.Action) {
    let isFirst = contents.withLock { contents in
      contents.actions.append(action)
      defer { contents.isBeingDrained = true }
      return !contents.isBeingDrained
    }
    if isFirst { Task { drain() } }
  }

  private func drain() {
    var batch: [Counter.Action] = []
    while true {
      batch.removeAll(keepingCapacity: true)
      contents.withLock { contents in
        swap(&batch, &contents.actions)
        contents.isBeingDrained = !batch.isEmpty
      }
      if batch.isEmpty { return }
      let value = state.withLock { state in
        for action in batch { Counting.reduce(&state, Counting.mutate(action)) }
        return state.value
      }
      if value == expected { end.step() }
    }
  }
}
