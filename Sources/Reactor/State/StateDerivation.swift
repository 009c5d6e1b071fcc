import ReactorRuntime

extension StateStream {
  /// Computes a value from each state once for all subscribers, and leaves out a value equal to the
  /// last.
  ///
  /// ```swift
  /// let totals = cart.state.derived { $0.lines.reduce(0) { $0 + $1.price } }
  /// for await total in totals { … }  // here, and in ten other places: added up once per state
  /// ```
  ///
  /// `select` computes the value for each subscriber. This computes it once for each state, and
  /// shares the result. Store the stream where all subscribers can use it: another call makes
  /// another stream. Nothing is computed while there are no subscribers.
  ///
  /// The result is a stream like any other, with ``buffering(_:)``, `select` and `derived`.
  /// ``buffering(_:)`` before it selects the states for which it is computed. A subscriber to the
  /// newest value that was away while there was no other subscriber may receive a value that it has
  /// already had.
  ///
  /// A subscriber that is added while there are others waits until the value has been computed from
  /// the state at that moment, and begins with it. A subscriber that does not receive every value
  /// is added when it first requests one.
  ///
  /// **Runs on** a task of its own. It does not keep the reactor alive.
  ///
  /// **Order** and **end** are those of the states.
  ///
  /// **Depth**: a new subscriber calls each level inside the one that is derived from it. A few
  /// levels may be derived from one another. Thousands, made in a loop, overflow the stack when
  /// they are observed.
  ///
  /// - Parameter value: Computes the value from a state.
  /// - Returns: The values, the current one first.
  public func derived<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateStream<Value> {
    StateDerivation(self, value).stream
  }
}

/// Computes values from states while there are subscribers.
///
/// It is retained by the subscribers and the stream; its task has a weak reference to it.
///
/// Holds: `contents`, guarded by its own lock; inside it, the output and the progress are read, and
/// the states are observed.
private final class StateDerivation<Whole: Sendable, Value: Equatable & Sendable>: Sendable {
  private struct Contents: Sendable {
    var task: Task<Void, Never>?
    /// The number of tasks that have begun: only the last one publishes.
    var round = 0
  }

  private let contents = Guarded(Contents())
  private let output = Broadcast<Value>(hasValues: true)
  private let progress = RelayProgress()
  private let states: Nested<StateStream<Whole>>
  private let value: @Sendable (Whole) -> Value

  init(_ states: StateStream<Whole>, _ value: @escaping @Sendable (Whole) -> Value) {
    self.states = Nested(states)
    self.value = value
  }

  deinit { contents.withLock { $0.task }?.cancel() }

  /// The stream of its output, which retains it.
  var stream: StateStream<Value> {
    StateStream(source: ClosureRelay(output, { self.start() }, marks: { self.marks() }))
  }

  /// Under the lock, so that the task does not end between the two reads.
  private func marks() -> [RelayMark] {
    contents.withLock { $0.task == nil ? [] : [progress.mark(states.value)] }
  }

  /// Starts the task, unless it runs already.
  private func start() {
    contents.withLock { contents in
      guard contents.task == nil, !output.isFinished else { return }
      output.keepNewest()
      contents.round += 1
      contents.task = observe(round: contents.round)
    }
  }

  private func observe(round: Int) -> Task<Void, Never> {
    // Observed from here on, so that the first value is not older than the subscriber.
    let (iterator, value) = (states.value.makeAsyncIterator(), value)
    return PipelineTasks.make { [weak self] in
      var iterator = iterator
      var last: Value?
      while let state = await iterator.next() {
        guard self?.isWanted(in: round) == true else { return }
        let next = value(state)
        let isNew = last != next
        last = next
        guard self?.show(isNew ? next : nil, of: iterator.version ?? 0, in: round) == true else {
          return
        }
      }
      self?.finish(round)
    }
  }

  /// Whether there are subscribers; if not, the task has ended, and the value is not kept.
  private func isWanted(in round: Int) -> Bool {
    let (isWanted, released) = contents.withLock { contents in
      guard contents.round == round else { return (false, SmallList<Numbered<Value>>()) }
      if progress.isMarked { return (true, SmallList()) }
      let (hasDemand, released) = output.stopKeepingUnlessNeeded()
      if !hasDemand { contents.task = nil }
      return (hasDemand, released)
    }
    withExtendedLifetime(released) {}
    return isWanted
  }

  /// Publishes a value, unless it is equal to the last one, and records the state that it was
  /// computed from.
  private func show(_ value: Value?, of source: UInt64, in round: Int) -> Bool {
    guard contents.withLock({ $0.round == round }) else { return false }
    if let value { output.publishNext(value) }
    progress.pass(source, shown: output.latest)
    return true
  }

  private func finish(_ round: Int) {
    let isLast = contents.withLock { $0.round == round }
    guard isLast, !Task.isCancelled else { return }
    output.finish()
    progress.finish()
  }
}
