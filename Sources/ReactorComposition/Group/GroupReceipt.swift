public import Reactor

/// What ``ReactorGroup/send(_:)`` returns: the way to wait for the work of all that took the
/// action, to learn which did not accept it, or to cancel all of it.
///
/// It keeps no reactor alive, may be thrown away, and can be copied and sent anywhere.
public struct GroupReceipt: Sendable {
  private let deliveries: [GroupDelivery]

  @usableFromInline
  init(_ deliveries: [GroupDelivery]) { self.deliveries = deliveries }

  /// The members that wanted the action, whether or not they accepted it.
  ///
  /// **Runs on** any thread, without `await`.
  public var recipients: [ReactorIdentity] {
    deliveries.compactMap { delivery in
      if case .released = delivery.outcome { nil } else { delivery.member.identity }
    }
  }

  /// The members that did not accept the action, by name, as far as that is known now.
  ///
  /// What an inbox refuses is known when `send` has returned, for members that come after none; for
  /// the others when their turn has come, at the latest when ``settled`` returns. What a lane
  /// refuses is known as long as ``/Reactor/ActionReceipt/refusal`` would be.
  ///
  /// **Runs on** any thread, without `await`.
  public var refusals: [GroupRefusal] {
    deliveries.compactMap { delivery in
      let member = delivery.member
      let reason: ActionRefusal? =
        switch delivery.outcome {
        case .refused(let reason): reason
        case .accepted(let number): member.engine.refusal(of: number)
        case .withdrawn, .released, nil: nil
        }
      return reason.map { GroupRefusal(reactor: member.identity, reason: $0) }
    }
  }

  /// Waits until the work of all that took the action has ended, however it ended.
  ///
  /// That is ``/Reactor/ActionReceipt/settled`` of each, also of those that come after others. It
  /// returns early if the waiting task is cancelled; the work goes on.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var settled: Void {
    get async {
      for delivery in deliveries {
        if case .accepted(let number) = await delivery.admitted() { await delivery.settle(number) }
      }
    }
  }

  /// Waits until the turn of each that took the action is over: what it led to at once is in
  /// their states, their effects may go on.
  ///
  /// For a member where it waits in a lane, or behind a hook, until its work has ended.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var taken: Void {
    get async {
      for delivery in deliveries {
        guard case .accepted(let number) = await delivery.admitted() else { continue }
        await delivery.member.engine.waitUntilPerformed(number)
      }
    }
  }

  /// Waits until the work of all has ended, and tells how for each, in the order of `recipients`.
  ///
  /// Known as long as ``/Reactor/ActionReceipt/outcome`` would be.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var outcomes: [(reactor: ReactorIdentity, outcome: ActionOutcome)]
  {
    get async {
      var outcomes: [(reactor: ReactorIdentity, outcome: ActionOutcome)] = []
      for delivery in deliveries {
        let outcome: ActionOutcome
        switch await delivery.admitted() {
        case .accepted(let number): outcome = await delivery.member.engine.outcome(of: number)
        case .refused(let reason): outcome = .refused(reason)
        case .withdrawn: outcome = .cancelled
        case .released: continue
        case nil: outcome = .open
        }
        outcomes.append((delivery.member.identity, outcome))
      }
      return outcomes
    }
  }

  /// Cancels the action's own work in all members, as ``/Reactor/ActionReceipt/cancel()`` would.
  ///
  /// A member that comes after others and has not got it yet never does.
  public func cancel() {
    for delivery in deliveries { delivery.cancel() }
  }
}

/// A member that did not accept what was sent to its group, and why.
///
/// Its `description` is `Room#7 'lobby': stopped`.
public struct GroupRefusal: Sendable, Hashable, CustomStringConvertible {
  /// Which reactor.
  public let reactor: ReactorIdentity
  /// Why.
  public let reason: ActionRefusal

  /// A refusal; for tests.
  ///
  /// - Parameters:
  ///   - reactor: Which reactor.
  ///   - reason: Why.
  public init(reactor: ReactorIdentity, reason: ActionRefusal) {
    self.reactor = reactor
    self.reason = reason
  }

  /// The reactor and the reason.
  public var description: String { "\(reactor): \(reason)" }
}

/// An order between members that would be a circle; see `add(_:after:)` of ``ReactorGroup``.
///
/// Its `description` is `List#2 after Login#1 after List#2`.
public struct CyclicOrderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The members, each of which comes after the next; the last is the first.
  public let members: [ReactorIdentity]

  /// The circle.
  public var description: String { members.map(\.description).joined(separator: " after ") }
}
