import ReactorRuntime

/// Publishes the states of a stream, those of low priority in batches, while there are subscribers.
///
/// It is retained by the subscribers and the stream; its tasks have weak references to it.
///
/// Holds: `contents`, guarded by its own lock; inside it, the output and the progress are read, and
/// the states are observed. The priorities are behind a lock of their own, since the reactor notes
/// them.
final class StateBatcher<State: Sendable>: Sendable {
  /// Calls its argument once the actions accepted so far have had their turns, with the version of
  /// the state then.
  typealias Tick = @Sendable (@escaping @Sendable (_ version: UInt64?) -> Void) -> Void
  /// Begins to note the priorities of versions; returns what ends that.
  typealias Noting = @Sendable (VersionNotes) -> @Sendable () -> Void

  private struct Contents: Sendable {
    var task: Task<Void, Never>?
    /// The number of tasks that have begun: only the last one publishes.
    var round = 0
    var batch = PendingBatch<State>()
    var count: UInt64 = 0
    var waiting: Task<Void, Never>?
    var endNoting: (@Sendable () -> Void)?
  }

  private let contents = Guarded(Contents())
  private let output = Broadcast<State>(hasValues: true)
  private let progress = RelayProgress()
  private let states: StateStream<State>
  private let batching: StateBatching
  private let tick: Tick
  private let noting: Noting
  private let versions = VersionNotes()

  init(
    _ states: StateStream<State>, _ batching: StateBatching, tick: @escaping Tick,
    noting: @escaping Noting
  ) {
    (self.states, self.batching, self.tick, self.noting) = (states, batching, tick, noting)
  }

  deinit {
    let last = contents.withLock { $0 }
    last.task?.cancel()
    last.waiting?.cancel()
    last.endNoting?()
  }

  /// The stream of its output, which retains it.
  var stream: StateStream<State> {
    StateStream(source: ClosureRelay(output, { self.start() }, marks: { self.marks() }))
  }

  /// A new subscriber ends the batch, so that it begins with the newest state.
  private func marks() -> [RelayMark] {
    change { $0.flush() }
    return contents.withLock { $0.task == nil ? [] : [progress.mark(states)] }
  }

  /// Starts the task, unless it runs already.
  private func start() {
    let isNew = contents.withLock { contents -> Bool in
      guard contents.task == nil, !output.isFinished else { return false }
      output.keepNewest()
      contents.round += 1
      contents.task = observe(round: contents.round)
      return true
    }
    guard isNew else { return change { $0.flush() } }
    let end = noting(versions)
    let old = contents.withLock { contents in
      defer { contents.endNoting = end }
      return contents.endNoting
    }
    old?()
  }

  private func observe(round: Int) -> Task<Void, Never> {
    let iterator = states.makeAsyncIterator()
    return PipelineTasks.make { [weak self] in
      var iterator = iterator
      while let state = await iterator.next() {
        guard self?.isWanted(in: round) == true else { return }
        self?.receive(state, version: iterator.version ?? 0)
      }
      self?.finish(round)
    }
  }

  /// Whether there are subscribers; if not, the task has ended, and no state is kept.
  private func isWanted(in round: Int) -> Bool {
    let (isWanted, released, endNoting) = contents.withLock {
      contents -> (Bool, SmallList<Numbered<State>>, (@Sendable () -> Void)?) in
      guard contents.round == round else { return (false, SmallList(), nil) }
      if progress.isMarked { return (true, SmallList(), nil) }
      let (hasDemand, released) = output.stopKeepingUnlessNeeded()
      if hasDemand { return (true, released, nil) }
      contents.task = nil
      contents.batch = PendingBatch()
      return (false, released, contents.endNoting.take())
    }
    endNoting?()
    withExtendedLifetime(released) {}
    return isWanted
  }

  private func receive(_ state: State, version: UInt64) {
    change { batch in
      let isLow = batch.published.map { published in
        versions.versions.withLock { $0.areLow(after: published, through: version) }
      }
      return batch.receive(.init(state: state, version: version), isLow: isLow ?? false)
    }
  }

  private func finish(_ round: Int) {
    guard contents.withLock({ $0.round == round }), !Task.isCancelled else { return }
    change { $0.flush() }
    output.finish()
    progress.finish()
  }

  /// Changes the batch, and does what results.
  private func change(_ change: (inout PendingBatch<State>) -> PendingBatch<State>.Step) {
    let (step, delivery, number, unneeded) = contents.withLock {
      contents -> (
        PendingBatch<State>.Step, Broadcast<State>.Delivery?, UInt64, Task<Void, Never>?
      ) in
      let step = change(&contents.batch)
      guard case .publish(let newest) = step else { return (step, nil, contents.count, nil) }
      contents.count += 1
      // In the order of this lock; delivered outside it.
      let delivery = output.enqueue(newest.state, number: contents.count)
      return (step, delivery, contents.count, contents.waiting.take())
    }
    unneeded?.cancel()
    if let delivery { output.deliver(delivery) }
    switch step {
    case .publish(let newest): progress.pass(newest.version, shown: number)
    case .wait(let number): wait(number)
    case .none: break
    }
  }

  private func wait(_ number: UInt64) {
    switch batching.kind {
    case .tick:
      tick { [weak self] version in
        self?.change { $0.waitEnded(number, at: version) }
      }
    case .wait(let wait):
      let task = PipelineTasks.make { [weak self] in
        try? await wait()
        self?.change { $0.waitEnded(number, at: nil) }
      }
      contents.withLock { $0.waiting = task }
    }
  }
}
