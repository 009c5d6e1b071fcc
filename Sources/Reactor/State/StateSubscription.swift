/// An observer's hold on its place: when it is let go, the place is given up.
@usableFromInline
final class StateSubscription<State: Sendable>: Sendable {
  @usableFromInline let broadcaster: StateBroadcaster<State>
  @usableFromInline let cursor: StateCursor<State>
  /// Held here and not by the broadcaster, which it holds: so neither has to hold the other weakly.
  @usableFromInline let owner: (any StateOwner<State>)?
  @usableFromInline let policy: StateBuffering

  @inlinable
  init(
    _ broadcaster: StateBroadcaster<State>, of owner: (any StateOwner<State>)?,
    _ policy: StateBuffering = .everyState, asksFirst: Bool = false
  ) {
    self.broadcaster = broadcaster
    self.owner = owner
    self.policy = policy
    cursor = StateCursor(wantsNewestOnly: policy.isNewest, limit: policy.limit)
    cursor.place.asksFirst = asksFirst
    broadcaster.register(cursor)
    owner?.newcomer()
  }

  @inlinable
  deinit {
    let isDeserted = broadcaster.leave(cursor)
    if isDeserted { owner?.giveBack(broadcaster) }
  }

  @inlinable
  nonisolated(nonsending) func next() async -> State? {
    let state = await broadcaster.next(cursor, of: owner)
    if case .last(_, let skipped) = policy.kind {
      let count = broadcaster.takeSkipped(cursor)
      if count > 0 { skipped(count) }
    }
    return state
  }
}

/// A place taken before anybody iterates, so that the hook over the states sees the first of them.
///
/// The first iterator stands there; once the hook has ended, the pipeline goes on from where that
/// iterator came to.
///
/// Holds: whether the place is taken, guarded by its own lock.
@usableFromInline
final class StateReservation<State: Sendable>: StateSource {
  let subscription: StateSubscription<State>
  private let isTaken = Guarded(false)

  init(_ broadcaster: StateBroadcaster<State>, of owner: any StateOwner<State>) {
    subscription = StateSubscription(broadcaster, of: owner)
  }

  /// A place beside it.
  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription<State> {
    StateSubscription(subscription.broadcaster, of: subscription.owner, policy)
  }

  /// The place, for the first who asks.
  @usableFromInline
  func take() -> StateSubscription<State>? {
    let isFirst = isTaken.withLock { isTaken -> Bool in
      defer { isTaken = true }
      return !isTaken
    }
    return isFirst ? subscription : nil
  }
}

extension StateSubscription {
  /// The next of every state, and its version: how many were made before.
  nonisolated(nonsending) func nextWithVersion() async -> (state: State, version: UInt64)? {
    guard let state = await broadcaster.next(cursor, of: owner) else { return nil }
    return (state, broadcaster.version(at: cursor))
  }
}

/// Where a stream finds its states, when somebody begins to observe.
@usableFromInline
protocol StateSource<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Takes a place among the observers.
  func subscribe(_ policy: StateBuffering) -> StateSubscription<State>
}
