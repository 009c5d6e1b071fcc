extension StateStream.Iterator {
  /// Which state it has returned last: how many the reactor had before; `nil` before the first.
  ///
  /// It counts up with every state, also over a restart, and stays the same for all observers. What
  /// a hook over the states gives, or ``StateStream/derived(_:)``, is counted for itself.
  ///
  /// So whoever comes again can say what it has seen, together with ``Reactor/Reactor/identity``:
  /// another reactor begins to count anew.
  ///
  /// **Runs on** the observer's own task.
  public var version: UInt64? { subscription.broadcaster.versionSeen(by: subscription.cursor) }
}

extension StateBroadcaster {
  /// The version of the state that was delivered last to an observer, of whatever kind.
  func versionSeen(by cursor: Cursor) -> UInt64? {
    fanOut.withLock { _ in
      if case .at(let node) = cursor.place.position { node.version } else { cursor.place.seen }
    }
  }
}
