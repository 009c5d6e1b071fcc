extension StateStream.Iterator {
  /// Which state it has returned last; `nil` before the first.
  ///
  /// It counts up with every state that somebody looks at, also over a restart, and is the same for
  /// all who look; while nobody does, states are not counted. What a hook over the states gives, or
  /// ``StateStream/derived(_:)``, is counted for itself.
  package var version: UInt64? { subscription.broadcaster.versionSeen(by: subscription.cursor) }
}

extension StateBroadcaster {
  /// The version of the state that was delivered last to an observer, of whatever kind.
  func versionSeen(by cursor: Cursor) -> UInt64? {
    fanOut.withLock { _ in
      if case .at(let node) = cursor.place.position { node.version } else { cursor.place.seen }
    }
  }
}
