public import ReactorRuntime
import Synchronization

/// The streams of a reactor's actions, outputs and restarts.
///
/// Contains no state: it is a view of the engine's concurrent state. The broadcasts are in
/// ``LockedState``, under its lock; they are published to, finished and released outside the lock.
/// Whether there is a stream of actions can be read without it.
@usableFromInline
struct PipelineEvents<R: Reactor> {
  @usableFromInline typealias Shared = LockedState<R>

  @usableFromInline let concurrentState: LazyBlock<ConcurrentState<R>>

  @inlinable
  init(_ concurrentState: LazyBlock<ConcurrentState<R>>) { self.concurrentState = concurrentState }

  @inlinable
  func withShared<Result: Sendable>(_ body: (inout Shared) -> Result) -> Result {
    concurrentState.pointee.shared.withLock { body(&$0) }
  }

  /// Under the lock, so that it agrees with the listeners, including the sinks.
  private func setLatest(_ number: UInt64, in shared: borrowing Shared) {
    let least: UInt64 = shared.sinks == nil ? 0 : 1
    concurrentState.pointee.latestListener.store(max(number, least), ordering: .releasing)
  }

  // MARK: Opening

  func openActions(
    _ isIncluded: (@Sendable (R.Action) -> Bool)?, onLastRelease: @escaping @Sendable () -> Void
  ) -> EventStream<R.Action> {
    withShared { shared in
      let number = EventNumbers.next()
      let stream = shared.actions.open(number, isIncluded, onLastRelease: onLastRelease)
      if shared.actions.broadcast != nil { setLatest(number, in: shared) }
      return stream
    }
  }

  func openOutputs(
    _ isIncluded: (@Sendable (R.Output) -> Bool)?, onLastRelease: @escaping @Sendable () -> Void
  ) -> EventStream<R.Output> {
    withShared { $0.outputs.open(EventNumbers.next(), isIncluded, onLastRelease: onLastRelease) }
  }

  func openRestarts(onLastRelease: @escaping @Sendable () -> Void) -> EventStream<Void> {
    withShared { $0.rare.restarts.open(EventNumbers.next(), nil, onLastRelease: onLastRelease) }
  }

  /// Releases the broadcasts that have no stream left.
  func releaseUnneeded() {
    let released = withShared { shared in
      let released = (
        shared.actions.releaseUnneeded(), shared.outputs.releaseUnneeded(),
        shared.rare.restarts.releaseUnneeded()
      )
      if released.0 != nil { setLatest(0, in: shared) }
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Changes the sinks that receive the steps.
  func changeSinks(_ change: ([Engine<R>.Sinks.Sink]) -> [Engine<R>.Sinks.Sink]) {
    withShared { shared in
      shared.sinks = StepSinks(change(shared.sinks?.all ?? []))
      let hasStreams = shared.actions.broadcast != nil
      let latest = hasStreams ? concurrentState.pointee.latestListener.load(ordering: .relaxed) : 0
      setLatest(latest, in: shared)
    }
  }

  // MARK: Publishing

  /// Publishes an action to its streams.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - latest: The stream that was opened last before the action; later ones do not get it.
  @inlinable
  func publish(_ action: R.Action, toStreamsUpTo latest: UInt64 = .max) {
    withShared { $0.actions.broadcast }?.publish(action, toSubscribersUpTo: latest)
  }

  func publish(output: R.Output) { withShared { $0.outputs.broadcast }?.publish(output) }

  func publishRestart() { withShared { $0.rare.restarts.broadcast }?.publish(()) }

  // MARK: Ending

  /// No further action will be taken.
  @usableFromInline
  func finishActions() {
    withShared { shared in
      defer { setLatest(0, in: shared) }
      return shared.actions.finish()
    }?.finish()
  }

  @usableFromInline
  func finishOutputs() { withShared { $0.outputs.finish() }?.finish() }

  @usableFromInline
  func finishRestarts() { withShared { $0.rare.restarts.finish() }?.finish() }
}
