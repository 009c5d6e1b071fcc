import ReactorRuntime

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

  func giveBack(_ deserted: Broadcast<State>) { relay.giveBack(deserted) }

  nonisolated(nonsending) func workInPlace() async -> Bool { await relay.workInPlace() }

  nonisolated(nonsending) func answer(_ subscription: StateSubscription<State>) async {
    let coming = coming.withLock { coming in
      defer { coming = .over }
      return coming
    }
    let marks: [RelayMark]
    switch coming {
    case .marked(let made): marks = made
    case .unmarked: marks = relay.relayMarks()
    case .over: return await relay.answer(subscription)
    }
    var shown: UInt64 = 0
    for mark in marks { shown = max(shown, await mark.passed()) }
    // Cancelled, it has waited for nothing.
    if !Task.isCancelled { subscription.broadcast.skip(subscription.slot, to: shown) }
  }
}
