/// What a relay outside this target shows: states that it makes of others, counted here.
package final class RelayOutput<State: Sendable>: Sendable {
  let broadcast = Broadcast<State>(hasValues: true)

  package init() { broadcast.keepNewest() }

  /// The version of the state that was shown last.
  package var latestVersion: UInt64 { broadcast.latest }

  package func publish(_ state: State) { broadcast.publishNext(state) }

  package func finish() { broadcast.finish() }
}

extension StateStream {
  /// What a relay outside this target shows.
  ///
  /// - Parameters:
  ///   - output: Where it is shown.
  ///   - start: Called whenever something subscribes.
  ///   - marks: Notes what the relay's sources have now; nothing where it has yet to begin.
  package init(
    of output: RelayOutput<State>, whenSubscribed start: @escaping @Sendable () -> Void,
    marks: @escaping @Sendable () -> [RelayMark]
  ) {
    self.init(source: ClosureRelay(output.broadcast, start, marks: marks))
  }

  /// Takes a place among the subscribers of every state, whatever the stream's policy is.
  package func everyState() -> Iterator { Iterator(subscription: source.subscribe(.everyState)) }
}

/// A relay of which only closures are known here; they keep it.
final class ClosureRelay<State: Sendable>: StateSource, StateRelay {
  private let output: Broadcast<State>
  private let start: @Sendable () -> Void
  private let marks: @Sendable () -> [RelayMark]

  init(
    _ output: Broadcast<State>, _ start: @escaping @Sendable () -> Void,
    marks: @escaping @Sendable () -> [RelayMark]
  ) {
    (self.output, self.start, self.marks) = (output, start, marks)
  }

  func subscribe(_ policy: StateBuffering) -> StateSubscription<State> {
    StateSubscription(output, of: RelaySubscriber(of: self, policy), policy, asksFirst: true)
  }

  func relayMarks() -> [RelayMark] { marks() }

  func newcomer() { start() }

  nonisolated(nonsending) func answer(_ subscription: StateSubscription<State>) async { start() }

  func giveBack(_ deserted: Broadcast<State>) {}
}
