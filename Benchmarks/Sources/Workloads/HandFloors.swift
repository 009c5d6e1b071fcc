import Synchronization

/// What one would write by hand to do as a reactor does: any thread sends, and an actor does it.
///
/// A bare actor that is called does its caller's work on its caller's thread. That is not to be had
/// where the sender is not to wait. These keep none of a reactor's promises: no outcomes, no
/// reports, no lanes by key, no observers, nothing cancelled by name.
package enum HandFloors {
  /// One action after the other is sent to a mailbox that has nothing else to do, and waited for.
  package static let settled: Workload = { await settledOnes($0) }

  /// The same from the main actor; the mailbox runs on the pool.
  package static let settledFromMain: Workload = { @MainActor count in await settledOnes(count) }

  private static func settledOnes(
    _ count: Int, isolation: isolated (any Actor)? = #isolation
  ) async -> Reading {
    let box = HandMailbox()
    box.send(.increase)
    await box.settled()
    let watch = Stopwatch()
    for _ in 0..<count {
      box.send(.increase)
      await box.settled()
    }
    let reading = watch.reading
    check(await box.state.value, is: count + 1)
    return reading
  }

  /// A mailbox made, sent one action, waited for, released.
  package static let createUseRelease: Workload = { count in
    let countdown = Countdown(count)
    let watch = Stopwatch()
    for _ in 0..<count {
      let box = HandMailbox(countdown)
      box.send(.increase)
      await box.settled()
    }
    await countdown.isOver
    // Until the tasks that were made have ended as well, and with them their mailboxes.
    for _ in 0..<3 { await Task.yield() }
    return watch.reading
  }

  /// So many mailboxes, ten actions to each in a row, from eight tasks.
  package static func spread(over instances: Int) -> Workload {
    { count in
      let boxes = (0..<instances).map { _ in HandMailbox() }
      let each = count / instances
      let watch = Stopwatch()
      await Instances.eightShares(of: instances) { share in
        for index in share { for _ in 0..<each { boxes[index].send(.increase) } }
        for index in share { await boxes[index].settled() }
      }
      let reading = watch.reading
      for box in boxes { check(await box.state.value, is: each) }
      return reading
    }
  }

  /// A task for each action, made by an actor that any thread may send actions; it suspends once,
  /// and tells the actor.
  package static let suspending: Workload = { await suspending($0, beginsAtOnce: false) }

  /// The same, where each task begins at once, as an effect does.
  package static let suspendingBegun: Workload = { await suspending($0, beginsAtOnce: true) }

  private static func suspending(_ count: Int, beginsAtOnce: Bool) async -> Reading {
    let teller = HandTeller(count, beginsAtOnce: beginsAtOnce)
    let watch = Stopwatch()
    for _ in 0..<count { teller.send(1) }
    await teller.ended.isOver
    let reading = watch.reading
    check(await teller.state.value, is: count)
    return reading
  }

  /// A task for each key, which the next cancels, made by an actor that any thread may send keys.
  package static let latestWins: Workload = { await latestWins($0, beginsAtOnce: false) }

  /// The same, where each task begins at once, as an effect does: most of those above are
  /// cancelled before they have begun.
  package static let latestWinsBegun: Workload = { await latestWins($0, beginsAtOnce: true) }

  private static func latestWins(_ count: Int, beginsAtOnce: Bool) async -> Reading {
    let search = HandSearch(last: count, beginsAtOnce: beginsAtOnce)
    let watch = Stopwatch()
    for key in 1...count { search.send(key) }
    await search.ended.isOver
    let reading = watch.reading
    check(await search.found, is: count)
    return reading
  }
}

/// A locked array; whoever finds nobody awake makes a task that takes all there is.
private struct HandInbox<Action: Sendable>: ~Copyable {
  private struct Contents {
    var actions: [Action] = []
    var isAwake = false
  }

  private let contents = Mutex(Contents())

  /// - Returns: Whether somebody has to be woken.
  func add(_ action: Action) -> Bool {
    contents.withLock { contents in
      contents.actions.append(action)
      defer { contents.isAwake = true }
      return !contents.isAwake
    }
  }

  /// - Returns: Whether there was anything; if not, whoever adds next wakes somebody.
  func take(into batch: inout [Action]) -> Bool {
    batch.removeAll(keepingCapacity: true)
    contents.withLock { contents in
      swap(&batch, &contents.actions)
      contents.isAwake = !batch.isEmpty
    }
    return !batch.isEmpty
  }
}

private actor HandMailbox {
  private nonisolated let inbox = HandInbox<Counter.Action>()
  private let countdown: Countdown?
  private var batch: [Counter.Action] = []
  private(set) var state = Counter.State()

  init(_ countdown: Countdown? = nil) { self.countdown = countdown }

  @inline(never)
  nonisolated func send(_ action: Counter.Action) {
    if inbox.add(action) { Task { await drain() } }
  }

  /// Until all that was sent before has been done: whoever waits does it, if nobody has.
  func settled() { drain() }

  private func drain() {
    while inbox.take(into: &batch) {
      for action in batch {
        Counting.reduce(&state, Counting.mutate(action))
        countdown?.step()
      }
    }
  }
}

private actor HandTeller {
  nonisolated let ended: Countdown
  private nonisolated let inbox = HandInbox<Int>()
  private let beginsAtOnce: Bool
  private var batch: [Int] = []
  private(set) var state = Counter.State()

  init(_ count: Int, beginsAtOnce: Bool) {
    self.beginsAtOnce = beginsAtOnce
    ended = Countdown(count)
  }

  @inline(never)
  nonisolated func send(_ amount: Int) {
    if inbox.add(amount) { Task { await drain() } }
  }

  private func drain() {
    while inbox.take(into: &batch) {
      for amount in batch {
        let tell = { @Sendable [ended] in
          await Task.yield()
          await self.add(amount)
          ended.step()
        }
        if beginsAtOnce {
          Task.immediateDetached(operation: tell)
        } else {
          Task.detached(operation: tell)
        }
      }
    }
  }

  private func add(_ amount: Int) { Counting.reduce(&state, .add(amount)) }
}

private actor HandSearch {
  nonisolated let ended: Countdown
  private nonisolated let inbox = HandInbox<Int>()
  private let last: Int
  private let beginsAtOnce: Bool
  private var batch: [Int] = []
  private var search: Task<Void, Never>?
  private(set) var found = 0

  init(last: Int, beginsAtOnce: Bool) {
    self.last = last
    self.beginsAtOnce = beginsAtOnce
    ended = Countdown(last)
  }

  @inline(never)
  nonisolated func send(_ key: Int) {
    if inbox.add(key) { Task { await drain() } }
  }

  private func drain() {
    while inbox.take(into: &batch) {
      for key in batch {
        search?.cancel()
        let look = { @Sendable [last, ended] in
          await Search.wait(for: key, of: last)
          if !Task.isCancelled { await self.find(key) }
          ended.step()
        }
        search =
          beginsAtOnce
          ? Task.immediateDetached(operation: look) : Task.detached(operation: look)
      }
    }
  }

  private func find(_ key: Int) { found = key }
}
