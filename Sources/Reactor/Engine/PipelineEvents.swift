public import Synchronization

/// The streams of what a reactor takes and puts out, and of its beginning again.
///
/// Holds nothing: a view of the engine's parts. The audiences are in ``SharedNotes``, under its
/// lock; events are told, and audiences released, outside it. Whether there are streams of actions
/// can be seen without it.
@usableFromInline
struct PipelineEvents<R: Reactor> {
  @usableFromInline typealias Shared = SharedNotes<R>

  @usableFromInline let parts: LazyBlock<AnyThreadParts<R>>

  @inlinable
  init(_ parts: LazyBlock<AnyThreadParts<R>>) { self.parts = parts }

  /// The number of the stream of actions that was opened last; 0 while there are none.
  @inlinable var latest: UInt64 { parts.pointee.latestListener.load(ordering: .acquiring) }

  private func withShared<Result: Sendable>(_ body: (inout Shared) -> Result) -> Result {
    parts.pointee.shared.withLock { body(&$0) }
  }

  /// Under the lock, so that it agrees with the audiences; those of the steps as well.
  private func setLatest(_ number: UInt64, in shared: borrowing Shared) {
    let least: UInt64 = shared.rare.sinks == nil ? 0 : 1
    parts.pointee.latestListener.store(max(number, least), ordering: .releasing)
  }

  // MARK: Opening

  func openActions(
    _ isIncluded: (@Sendable (R.Action) -> Bool)?, deserted: @escaping @Sendable () -> Void
  ) -> EventStream<R.Action> {
    let channel = withShared { shared in
      let number = EventNumbers.next()
      if !shared.areActionsOver { setLatest(number, in: shared) }
      return shared.actions.open(
        number, isIncluded, isFinished: shared.areActionsOver, deserted: deserted)
    }
    return EventStream(channel: channel)
  }

  func openOutputs(
    _ isIncluded: (@Sendable (R.Output) -> Bool)?, deserted: @escaping @Sendable () -> Void
  ) -> EventStream<R.Output> {
    let channel = withShared {
      $0.outputs.open(
        EventNumbers.next(), isIncluded, isFinished: $0.areOutputsOver, deserted: deserted)
    }
    return EventStream(channel: channel)
  }

  func openRestarts(deserted: @escaping @Sendable () -> Void) -> EventStream<Void> {
    let channel = withShared {
      $0.rare.restarts.open(
        EventNumbers.next(), nil, isFinished: $0.areRestartsOver, deserted: deserted)
    }
    return EventStream(channel: channel)
  }

  /// Releases the audiences that are empty.
  func leave() {
    let gone = withShared { shared in
      let gone = (shared.actions.leave(), shared.outputs.leave(), shared.rare.restarts.leave())
      if gone.0 != nil { setLatest(0, in: shared) }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Says what receives the steps.
  func setSinks(_ sinks: StepSinks<R.Action, R.Mutation, R.State, R.Output>?) {
    withShared { shared in
      shared.rare.sinks = sinks
      let hasStreams = shared.actions.audience != nil
      let latest = hasStreams ? parts.pointee.latestListener.load(ordering: .relaxed) : 0
      setLatest(latest, in: shared)
    }
  }

  // MARK: Telling

  /// Tells the streams of an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - latest: The stream that was opened last before the action; later ones are not told.
  @usableFromInline
  func tell(_ action: R.Action, toStreamsUpTo latest: UInt64 = .max) {
    withShared { $0.actions.audience }?.tell(action, toStreamsUpTo: latest)
  }

  func tell(output: R.Output) {
    withShared { $0.outputs.audience }?.tell(output)
  }

  func tellRestart() { withShared { $0.rare.restarts.audience }?.tell(()) }

  // MARK: Ending

  /// No action will be taken any more.
  @usableFromInline
  func finishActions() {
    let audience = withShared { shared in
      let audience = shared.actions.finish()
      shared.areActionsOver = true
      setLatest(0, in: shared)
      return audience
    }
    audience?.finish()
  }

  @usableFromInline
  func finishOutputs() {
    let audience = withShared { shared in
      shared.areOutputsOver = true
      return shared.outputs.finish()
    }
    audience?.finish()
  }

  @usableFromInline
  func finishRestarts() {
    let audience = withShared { shared in
      shared.areRestartsOver = true
      return shared.rare.restarts.finish()
    }
    audience?.finish()
  }

  func reopen() { withShared { ($0.areActionsOver, $0.areOutputsOver) = (false, false) } }
}
