/// The output of a relay outside this target: values made from states, with versions of their own.
package final class RelayOutput<State: Sendable>: Sendable {
  let broadcast = Broadcast<State>(hasValues: true)

  package init() { broadcast.keepNewest() }

  /// The version of the value that was published last.
  package var latestVersion: UInt64 { broadcast.latest }

  package func publish(_ state: State) { broadcast.publishNext(state) }

  package func finish() { broadcast.finish() }
}

extension StateStream {
  /// Creates a stream of the output of a relay outside this target.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - start: Called whenever there is a new subscriber.
  ///   - marks: Marks the present states of the relay's sources; empty if the relay has not started
  ///     yet.
  package init(
    of output: RelayOutput<State>, whenSubscribed start: @escaping @Sendable () -> Void,
    marks: @escaping @Sendable () -> [RelayMark]
  ) {
    self.init(source: ClosureRelay(output.broadcast, start, marks: marks))
  }

  /// Subscribes to every state, regardless of the stream's policy.
  package func everyState() -> Iterator { Iterator(subscription: source.subscribe(.everyState)) }
}

/// A relay that consists of closures, which retain it.
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
    StateSubscription(output, of: RelaySubscriber(of: self, policy), policy, beginsAtSource: true)
  }

  func relayMarks() -> [RelayMark] { marks() }

  func subscriberAdded() { start() }

  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<State>) async {
    start()
  }

  func lastSubscriberReleased(_ broadcast: Broadcast<State>) {}
}
