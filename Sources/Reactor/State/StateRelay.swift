import ReactorRuntime

/// Publishes values that a task of its own makes from other states, and so may lag behind them.
protocol StateRelay<State>: StateOwner {
  /// Marks the present states of the sources, each by its ``RelayProgress``; empty if the relay has
  /// not started yet.
  func relayMarks() -> [RelayMark]
}

/// Ensures that a relay's subscriber receives no value from before its subscription.
///
/// A subscriber to every value is marked when it subscribes. Any other one, for which little may be
/// kept, is marked when it first requests a value.
///
/// Holds: `pendingMarks`, guarded by its own lock; marks are released outside it.
final class RelaySubscriber<State: Sendable>: StateOwner {
  private enum PendingMarks: Sendable {
    case marked([RelayMark])
    case unmarked
    case over
  }

  private let relay: any StateRelay<State>
  private let pendingMarks: Guarded<PendingMarks>

  init(of relay: any StateRelay<State>, _ policy: StateBuffering) {
    self.relay = relay
    pendingMarks = Guarded(policy.isEveryState ? .marked(relay.relayMarks()) : .unmarked)
  }

  func subscriberAdded() { relay.subscriberAdded() }

  func lastSubscriberReleased(_ broadcast: Broadcast<State>) {
    relay.lastSubscriberReleased(broadcast)
  }

  nonisolated(nonsending) func drainInPlace() async -> Bool { await relay.drainInPlace() }

  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<State>) async {
    let pendingMarks = pendingMarks.withLock { pendingMarks in
      defer { pendingMarks = .over }
      return pendingMarks
    }
    let marks: [RelayMark]
    switch pendingMarks {
    case .marked(let made): marks = made
    case .unmarked: marks = relay.relayMarks()
    case .over: return await relay.offerCurrentState(to: subscription)
    }
    var shown: UInt64 = 0
    for mark in marks { shown = max(shown, await mark.passed()) }
    // If the task was cancelled, the wait ended early.
    if !Task.isCancelled { subscription.broadcast.skip(subscription.slot, to: shown) }
  }
}
