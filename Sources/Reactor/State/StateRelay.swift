/// What shows values that a task of its own makes of other states, and so may lag behind them.
protocol StateRelay<State>: StateOwner {
  /// Notes what the sources have now, each by its ``RelayProgress``; nothing where the relay has
  /// yet to begin.
  func relayMarks() -> [RelayMark]
}

/// What one subscriber of a relay asks: its first value is none from before it came.
///
/// A subscriber of every value comes when it takes its place. Any other one, for which little may
/// be kept, comes when it first asks for a value.
///
/// Holds: `coming`, guarded by its own lock; marks are released outside it.
final class RelaySubscriber<State: Sendable>: StateOwner {
  private enum Coming: Sendable {
    case marked([RelayMark])
    case unmarked
    case over
  }

  private let relay: any StateRelay<State>
  private let coming: Guarded<Coming>

  init(of relay: any StateRelay<State>, _ policy: StateBuffering) {
    self.relay = relay
    coming = Guarded(policy.isEveryState ? .marked(relay.relayMarks()) : .unmarked)
  }

  func newcomer() { relay.newcomer() }

  func giveBack(_ deserted: StateBroadcaster<State>) { relay.giveBack(deserted) }

  nonisolated(nonsending) func workInPlace() async -> Bool { await relay.workInPlace() }

  nonisolated(nonsending) func answer(
    _ cursor: StateCursor<State>, of asking: StateBroadcaster<State>
  ) async -> Bool {
    let coming = coming.withLock { coming in
      defer { coming = .over }
      return coming
    }
    let marks: [RelayMark]
    switch coming {
    case .marked(let made): marks = made
    case .unmarked: marks = relay.relayMarks()
    case .over: return await relay.answer(cursor, of: asking)
    }
    var shown: UInt64 = 0
    for mark in marks { shown = max(shown, await mark.passed()) }
    // Cancelled, it has waited for nothing.
    if Task.isCancelled { asking.leave(cursor) } else { asking.skip(cursor, to: shown) }
    return true
  }
}

extension StateBroadcaster {
  /// Moves an observer that has seen nothing yet on to the value of a version, if it is behind it.
  fileprivate func skip(_ cursor: Cursor, to version: UInt64) {
    let left = fanOut.withLock { $0.skip(cursor, to: version) }
    withExtendedLifetime(left) {}
  }
}

extension StateFanOut {
  /// - Returns: The node that it leaves, to be released outside the lock.
  fileprivate mutating func skip(_ cursor: Cursor, to version: UInt64) -> StateNode<State>? {
    let (left, first): (StateNode<State>, StateNode<State>)
    switch cursor.place.position {
    case .before(let node): (left, first) = (node, node)
    case .at(let node):
      // One that keeps only so many has gone past some already.
      guard let next = node.next else { return nil }
      (left, first) = (node, next)
    case .waitingForFirst, .gone: return nil
    }
    var node = first
    while let next = node.next, next.version <= version {
      node = next
      cursor.place.unseen -= 1
    }
    cursor.place.position = .before(node)
    // What came before it was not for this observer.
    let since = node.version > version ? Int(node.version - version) : 0
    cursor.place.skipped = min(cursor.place.skipped, since)
    return left
  }
}
