import ReactorRuntime

extension StateStream {
  /// One value that is made of the state, once for all observers; one equal to the one before is
  /// left out.
  ///
  /// ```swift
  /// let totals = cart.state.derived { $0.lines.reduce(0) { $0 + $1.price } }
  /// for await total in totals { … }  // here, and in ten other places: added up once per state
  /// ```
  ///
  /// Where `select` asks for each observer, this asks once for each state and shares what
  /// comes of it. Keep it where all observers can get at it: another call is another value. Nothing
  /// is asked while nobody observes.
  ///
  /// It is a stream like any other: with ``buffering(_:)``, `select` and `derived` again.
  /// ``buffering(_:)`` before it chooses for which states it asks. An observer of the newest value
  /// that was away while nobody else observed may get a value again that it has had.
  ///
  /// An observer that comes while others observe waits until the value of the state at that moment
  /// has been made, and begins with it. One that does not get every value comes when it first asks.
  ///
  /// **Runs on** a task of its own. **Order** and **end** are those of the states. It does not keep
  /// the reactor alive. **Depth**: an observer that comes calls each level inside the one that is
  /// derived from it, so a few may be derived from one another; thousands, made in a loop, overflow
  /// the stack when they are observed.
  ///
  /// - Parameter value: Anything that can be made of a state.
  /// - Returns: The values, the current one first.
  public func derived<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateStream<Value> {
    StateDerivation(self, value).stream
  }
}

/// Makes values of states, while somebody looks.
///
/// It is kept by those who look, or may; its task knows it weakly.
///
/// Holds: `own`, guarded by its own lock; inside it, what is shown and the progress are looked at,
/// and the states are observed.
private final class StateDerivation<Whole: Sendable, Value: Equatable & Sendable>: Sendable {
  private struct Own: Sendable {
    var task: Task<Void, Never>?
    /// How often a task has begun: only the last one shows anything.
    var round = 0
  }

  private let own = Guarded(Own())
  private let output = Broadcast<Value>(hasValues: true)
  private let progress = RelayProgress()
  private let states: Nested<StateStream<Whole>>
  private let value: @Sendable (Whole) -> Value

  init(_ states: StateStream<Whole>, _ value: @escaping @Sendable (Whole) -> Value) {
    self.states = Nested(states)
    self.value = value
  }

  deinit { own.withLock { $0.task }?.cancel() }

  /// What it shows; the stream keeps it.
  var stream: StateStream<Value> {
    StateStream(source: ClosureRelay(output, { self.start() }, marks: { self.marks() }))
  }

  /// Under the lock, so that the task does not end between two looks.
  private func marks() -> [RelayMark] {
    own.withLock { $0.task == nil ? [] : [progress.mark(states.value)] }
  }

  /// Goes to work, unless that has been done.
  private func start() {
    own.withLock { own in
      guard own.task == nil, !output.isFinished else { return }
      output.keepNewest()
      own.round += 1
      own.task = observe(round: own.round)
    }
  }

  private func observe(round: Int) -> Task<Void, Never> {
    // Observed from here on, so that the first value is not older than the observer.
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

  /// Whether anybody looks; if not, the task has ended, and the value is not kept.
  private func isWanted(in round: Int) -> Bool {
    let (isWanted, released) = own.withLock { own in
      guard own.round == round else { return (false, Few<Numbered<Value>>()) }
      if progress.isMarked { return (true, Few()) }
      let (isWatched, released) = output.forgetUnlessWatched()
      if !isWatched { own.task = nil }
      return (isWatched, released)
    }
    withExtendedLifetime(released) {}
    return isWanted
  }

  /// Shows a value, unless it is equal to the one before, and notes of which state it was made.
  private func show(_ value: Value?, of source: UInt64, in round: Int) -> Bool {
    guard own.withLock({ $0.round == round }) else { return false }
    if let value { output.publishNext(value) }
    progress.pass(source, shown: output.latest)
    return true
  }

  private func finish(_ round: Int) {
    let isLast = own.withLock { $0.round == round }
    guard isLast, !Task.isCancelled else { return }
    output.finish()
    progress.finish()
  }
}
