public import Synchronization

/// One writer, any number of observers: the box around a ``StateFanOut``.
///
/// What the writer calls is in `StatePublishing`, what an observer calls in `StateDelivering`, each
/// beside what it does to the fan-out.
///
/// Holds: `fanOut`, guarded by its own lock; continuations are resumed, and nodes released, outside
/// it.
@usableFromInline
final class StateBroadcaster<State: Sendable>: Sendable {
  @usableFromInline typealias Cursor = StateCursor<State>

  @usableFromInline let fanOut = Guarded(StateFanOut<State>())

  /// Whether a new state would matter to anybody; read by the writer before it makes a copy.
  @usableFromInline let isWatched = Atomic(false)

  /// Called when an observer asks for more than there is: with the version of the state that it has
  /// seen last, and with whether that was the last of all.
  @usableFromInline let hasSeenAll: (@Sendable (_ version: UInt64, _ isEnd: Bool) -> Void)?

  init(hasSeenAll: (@Sendable (_ version: UInt64, _ isEnd: Bool) -> Void)? = nil) {
    self.hasSeenAll = hasSeenAll
  }

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

  /// How many states were left out before the one that was delivered last; asked again, none.
  @inlinable
  func takeSkipped(_ cursor: Cursor) -> Int {
    fanOut.withLock { _ in
      defer { cursor.place.skippedBefore = 0 }
      return cursor.place.skippedBefore
    }
  }

  /// The version of the newest state that is kept here.
  @inlinable
  var latestVersion: UInt64 { fanOut.withLock { $0.tail?.version ?? 0 } }

  /// The version of the state that was delivered last to an observer of every state.
  @usableFromInline
  func version(at cursor: Cursor) -> UInt64 {
    fanOut.withLock { _ in
      if case .at(let node) = cursor.place.position { node.version } else { 0 }
    }
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
