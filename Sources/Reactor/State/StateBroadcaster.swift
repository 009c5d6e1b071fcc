public import Synchronization

/// One writer, any number of observers: the box around a ``StateFanOut``.
///
/// Holds: `fanOut`, guarded by its own lock; continuations are resumed, and nodes released, outside
/// it.
@usableFromInline
final class StateBroadcaster<State: Sendable>: Sendable {
  @usableFromInline typealias Cursor = StateCursor<State>

  @usableFromInline let fanOut = Guarded(StateFanOut<State>())

  /// Whether a new state would matter to anybody; read by the writer before it makes a copy.
  @usableFromInline let isWatched = Atomic(false)

  /// Called when an observer has seen everything there will ever be.
  @usableFromInline let seenToTheEnd: (@Sendable () -> Void)?

  init(seenToTheEnd: (@Sendable () -> Void)? = nil) { self.seenToTheEnd = seenToTheEnd }

  /// Changes the fan-out, and keeps `isWatched` true to it.
  @inlinable
  func change<Result: Sendable>(_ body: (inout StateFanOut<State>) -> Result) -> Result {
    fanOut.withLock { fanOut in
      let result = body(&fanOut)
      isWatched.store(fanOut.isWatched, ordering: .relaxed)
      return result
    }
  }

  /// Whether the last state has been published.
  @inlinable
  var isFinished: Bool { fanOut.withLock { $0.isFinished } }

  // MARK: The writer

  /// Gives observers that came since the last state the current one to begin with.
  @inlinable
  func attachPending(to state: @autoclosure () -> State, version: UInt64) {
    change { $0.attachPending(to: state(), version: version) }
  }

  /// Answers one observer that asked; see ``StateFanOut/answer(_:with:version:)``.
  @inlinable
  func answer(_ cursor: Cursor, with state: @autoclosure () -> State, version: UInt64) {
    change { fanOut in
      fanOut.attachPending(to: state(), version: version)
      fanOut.answer(cursor, with: state(), version: version)
    }
  }

  /// Shows a new state to everybody; returns before anybody has looked.
  @inlinable
  func publish(_ state: State, version: UInt64) {
    let (told, released) = change { $0.publish(state, version: version) }
    for observer in told { observer.resume(returning: .deliver(state, releasing: nil)) }
    withExtendedLifetime(released) {}
  }

  /// Shows a new state to everybody, where the states are counted here and not by the owner.
  @inlinable
  func publishNext(_ state: State) {
    publish(state, version: fanOut.withLock { ($0.tail?.version ?? 0) + 1 })
  }

  /// Keeps the newest state here from now on, for late observers.
  @inlinable
  func keepLatest() {
    change { $0.keepsLatest = true }
  }

  /// Ends every sequence after what it has yet to see.
  ///
  /// - Parameters:
  ///   - last: The last state, for observers that have not seen it; it is kept for late ones.
  ///   - version: Its version.
  @inlinable
  func finish(with last: State? = nil, version: UInt64 = 0) {
    for (observer, step) in change({ $0.finish(with: last, version: version) }) {
      observer.resume(returning: step)
    }
  }

  // MARK: The observers

  @inlinable
  func register(_ cursor: Cursor) { change { $0.register(cursor) } }

  /// - Returns: Whether nobody would miss this now.
  @inlinable
  @discardableResult
  func leave(_ cursor: Cursor) -> Bool {
    let ((observer, released, offer), isDeserted) = change { ($0.leave(cursor), $0.isDeserted) }
    observer?.resume(returning: .end)
    withExtendedLifetime((released, offer)) {}
    return isDeserted
  }

  /// The next state for an observer; `nil` at the end, or once the observer's task is cancelled.
  ///
  /// - Parameters:
  ///   - cursor: The observer.
  ///   - owner: Who knows the current state.
  /// - Returns: The state.
  @inlinable
  nonisolated(nonsending) func next(
    _ cursor: Cursor, of owner: (any StateOwner<State>)?
  ) async -> State? {
    var step = Task.isCancelled ? abandon(cursor) : fanOut.withLock { $0.step(cursor) }
    while true {
      switch step {
      case .deliver(let state, let released):
        withExtendedLifetime(released) {}
        return state
      case .end:
        if isFinished { seenToTheEnd?() }
        return nil
      case .wait:
        if await owner?.workInPlace() == true {
          step = await stepInPlace(cursor)
        } else {
          step = await wait(cursor)
        }
      case .askOwner:
        let isOrphan = await owner?.answer(cursor, of: self) != true
        step = fanOut.withLock { fanOut in
          cursor.place.isOrphan = isOrphan
          return fanOut.step(cursor)
        }
      }
    }
  }

  /// What there is for an observer that has let the owner work instead of waiting.
  ///
  /// Now and then it lets others have their turn, who wait for the same executor.
  @usableFromInline
  nonisolated(nonsending) func stepInPlace(_ cursor: Cursor) async -> StateFanOut<State>.Step {
    let isLong = fanOut.withLock { _ in
      cursor.place.stepsInPlace &+= 1
      return cursor.place.stepsInPlace % 64 == 0
    }
    if isLong { await Task.yield() }
    return fanOut.withLock { $0.step(cursor) }
  }

  /// How many states were left out before the one that was delivered last; asked again, none.
  @inlinable
  func takeSkipped(_ cursor: Cursor) -> Int {
    fanOut.withLock { _ in
      defer { cursor.place.skippedBefore = 0 }
      return cursor.place.skippedBefore
    }
  }

  /// The version of the state that was delivered last to an observer of every state.
  func version(at cursor: Cursor) -> UInt64 {
    fanOut.withLock { _ in
      if case .at(let node) = cursor.place.position { node.version } else { 0 }
    }
  }

  @inlinable
  nonisolated(nonsending) func wait(_ cursor: Cursor) async -> StateFanOut<State>.Step {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let step = change { fanOut in
          let step = fanOut.step(cursor)
          if case .wait = step {
            cursor.place.continuation = continuation
            fanOut.arm(cursor)
          }
          return step
        }
        if case .wait = step { return }
        continuation.resume(returning: step)
      }
    } onCancel: {
      leave(cursor)
    }
  }

  @inlinable
  func abandon(_ cursor: Cursor) -> StateFanOut<State>.Step {
    leave(cursor)
    return .end
  }
}

/// Who knows the current state: an observer's way to the pipeline, which it does not know.
@usableFromInline
protocol StateOwner<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Tells an observer what it cannot know: the current state, to begin with.
  ///
  /// - Returns: False once there is nobody who could.
  nonisolated(nonsending) func answer(
    _ cursor: StateCursor<State>, of asking: StateBroadcaster<State>
  ) async -> Bool
  /// Does now, on the caller's executor, what the caller would wait for, where that is the owner's
  /// executor too.
  ///
  /// - Returns: Whether anything was done.
  nonisolated(nonsending) func workInPlace() async -> Bool
  /// Somebody has come who has not seen a state yet; from any thread.
  func newcomer()
  /// The last observer has gone, as far as it knew; from any thread.
  func giveBack(_ deserted: StateBroadcaster<State>)
}

extension StateOwner {
  /// An owner that has no executor.
  @usableFromInline
  nonisolated(nonsending) func workInPlace() async -> Bool { false }
}
