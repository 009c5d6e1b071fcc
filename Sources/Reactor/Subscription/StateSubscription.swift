/// An observer's hold on its place: when it is let go, the place is given up.
final class StateSubscription<State: Sendable>: Sendable {
  private let broadcaster: StateBroadcaster<State>
  private let cursor: StateCursor<State>

  init(_ broadcaster: StateBroadcaster<State>, wantsNewestOnly: Bool) {
    self.broadcaster = broadcaster
    cursor = StateCursor(wantsNewestOnly: wantsNewestOnly)
    broadcaster.register(cursor)
  }

  deinit { broadcaster.leave(cursor) }

  func next() async -> State? { await broadcaster.next(cursor) }
}

/// A place taken before anybody iterates, so that the hook over the states sees the first of them.
///
/// Holds: the subscription until it is taken, guarded by its own lock.
final class StateReservation<State: Sendable>: Sendable {
  private let subscription: Guarded<StateSubscription<State>?>

  init(_ broadcaster: StateBroadcaster<State>) {
    subscription = Guarded(StateSubscription(broadcaster, wantsNewestOnly: false))
  }

  func take() -> StateSubscription<State>? { subscription.withLock { $0.take() } }
}
