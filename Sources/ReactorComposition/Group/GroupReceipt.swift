public import Reactor

/// The result of ``ReactorGroup/send(_:)``: waits for the work of all members that took the action,
/// reports which did not accept it, and cancels it.
///
/// It keeps no reactor alive. It can be discarded, copied, and sent to other tasks.
public struct GroupReceipt: Sendable {
  private let deliveries: [GroupDelivery]

  @usableFromInline
  init(_ deliveries: [GroupDelivery]) { self.deliveries = deliveries }

  /// The members that take the action, whether or not they accepted it.
  ///
  /// **Runs on** any thread, without `await`.
  public var recipients: [ReactorIdentity] {
    deliveries.compactMap { delivery in
      if case .released = delivery.outcome { nil } else { delivery.member.identity }
    }
  }

  /// The members that did not accept the action, by name, as far as is known now.
  ///
  /// **Runs on** any thread, without `await`. For members that come after no other, what an inbox
  /// refuses is known when `send` has returned. For the others it is known when their turn has
  /// come, at the latest when ``settled`` returns. A refusal by a lane is known as long as
  /// ``/Reactor/ActionReceipt/refusal`` would be.
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

  /// Waits until the work of all members that took the action has ended, however it ended.
  ///
  /// It waits for ``/Reactor/ActionReceipt/settled`` of each, also of those that come after others.
  ///
  /// **Runs on** the caller's executor. **If the waiting task is cancelled**, it returns early, and
  /// the work continues.
  nonisolated(nonsending) public var settled: Void {
    get async {
      for delivery in deliveries {
        if case .accepted(let number) = await delivery.admitted() { await delivery.settle(number) }
      }
    }
  }

  /// Waits until the turn of each member that took the action has ended.
  ///
  /// Then the changes made in the turn are in the members' states; effects may still run.
  ///
  /// For a member in which the action waits in a lane or behind a hook, it waits until the action's
  /// work has ended.
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

  /// Waits until the work of all members has ended, and returns the outcome of each, in the order
  /// of `recipients`.
  ///
  /// An outcome is known as long as ``/Reactor/ActionReceipt/outcome`` would be.
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

  /// Cancels the action's own work in all members, as ``/Reactor/ActionReceipt/cancel()`` does.
  ///
  /// A member that comes after others and has not received the action yet never receives it.
  public func cancel() {
    for delivery in deliveries { delivery.cancel() }
  }
}

/// A member that did not accept an action sent to its group, and the reason.
///
/// Its `description` is `Room#7 'lobby': stopped`.
public struct GroupRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The reactor.
  public let reactor: ReactorIdentity
  /// The reason.
  public let reason: ActionRefusal

  /// Creates a refusal, for tests.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - reason: The reason.
  public init(reactor: ReactorIdentity, reason: ActionRefusal) {
    self.reactor = reactor
    self.reason = reason
  }

  /// The reactor and the reason.
  public var description: String { "\(reactor): \(reason)" }
}

/// An order between members that would be a cycle; see `add(_:after:)` of ``ReactorGroup``.
///
/// Its `description` is `List#2 after Login#1 after List#2`.
public struct CyclicOrderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The members, each of which comes after the next; the last is the same as the first.
  public let members: [ReactorIdentity]

  /// The cycle in words.
  public var description: String { members.map(\.description).joined(separator: " after ") }
}
