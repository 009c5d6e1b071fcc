/// What ``ReactorGroup/send(_:)`` returns: the way to wait for the work of all who took the action,
/// to learn who did not accept it, or to cancel all of it.
///
/// It keeps no reactor alive, may be thrown away, and can be copied and sent anywhere.
public struct GroupReceipt: Sendable {
  @usableFromInline
  enum Part: Sendable {
    case known(GroupMember, GroupStanding)
    /// It waits for other members, or did.
    case open(GroupDelivery)

    var standing: GroupStanding? {
      switch self {
      case .known(_, let standing): standing
      case .open(let delivery): delivery.standing
      }
    }

    var member: GroupMember {
      switch self {
      case .known(let member, _): member
      case .open(let delivery): delivery.member
      }
    }

    var core: any GroupedPipeline { member.core }

    /// What became of it; waits until that is known, or the waiting task is cancelled.
    nonisolated(nonsending) func posted() async -> GroupStanding? {
      switch self {
      case .known(_, let standing): standing
      case .open(let delivery): await delivery.posted()
      }
    }
  }

  @usableFromInline let parts: [Part]

  @inlinable
  init(_ parts: [Part]) { self.parts = parts }

  /// For so many parts.
  ///
  /// One is appended after the other: an array that is made without its elements asks the standard
  /// library for its room, and that looks the array's type up each time.
  @usableFromInline
  init(of count: Int, _ part: (Int) -> Part) {
    var parts: [Part] = []
    parts.reserveCapacity(count)
    for index in 0..<count { parts.append(part(index)) }
    self.parts = parts
  }

  /// The members that wanted the action, whether or not they accepted it.
  ///
  /// **Runs on** any thread, without `await`.
  public var recipients: [ReactorIdentity] {
    parts.compactMap { part in
      if case .gone = part.standing { nil } else { part.core.identity }
    }
  }

  /// The members that did not accept the action, by name, as far as that is known now.
  ///
  /// What an inbox refuses is known when `send` has returned, for whoever comes after nobody; for
  /// the others when their turn has come, at the latest when ``settled`` returns. What a lane
  /// refuses is known as long as ``ActionReceipt/refusal`` would be.
  ///
  /// **Runs on** any thread, without `await`.
  public var refusals: [GroupRefusal] {
    parts.compactMap { part in
      switch part.standing {
      case .refused(let reason): GroupRefusal(reactor: part.core.identity, reason: reason)
      case .sent(let number):
        part.core.refusal(of: number).map {
          GroupRefusal(reactor: part.core.identity, reason: $0)
        }
      case .cancelled, .gone, nil: nil
      }
    }
  }

  /// Waits until the work of all who took the action has ended, however it ended.
  ///
  /// That is ``ActionReceipt/settled`` of each, also of those who come after others. It returns
  /// early if the waiting task is cancelled; the work goes on.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var settled: Void {
    get async {
      for part in parts {
        if case .sent(let number) = await part.posted() { await part.member.settle(number) }
      }
    }
  }

  /// Waits until the turn of everyone who took the action is over: what it led to at once is in
  /// their states, their effects may go on.
  ///
  /// For a member where it waits in a lane, or behind a hook, until its work has ended.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var taken: Void {
    get async {
      for part in parts {
        if case .sent(let number) = await part.posted() { await part.core.waitForTurn(of: number) }
      }
    }
  }

  /// Waits until the work of all has ended, and tells how for each, in the order of `recipients`.
  ///
  /// Known as long as ``ActionReceipt/outcome`` would be.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var outcomes: [(reactor: ReactorIdentity, outcome: ActionOutcome)]
  {
    get async {
      var outcomes: [(reactor: ReactorIdentity, outcome: ActionOutcome)] = []
      for part in parts {
        let outcome: ActionOutcome
        switch await part.posted() {
        case .sent(let number): outcome = await part.core.outcome(of: number)
        case .refused(let reason): outcome = .refused(reason)
        case .cancelled: outcome = .cancelled
        case .gone: continue
        case nil: outcome = .open
        }
        outcomes.append((part.core.identity, outcome))
      }
      return outcomes
    }
  }

  /// Cancels the action's own work with everyone, as ``ActionReceipt/cancel()`` would.
  ///
  /// Who comes after others and has not got it yet never does.
  public func cancel() {
    for part in parts {
      switch part {
      case .known(let member, .sent(let number)): member.core.cancel(number)
      case .known: break
      case .open(let delivery): delivery.cancel()
      }
    }
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
public struct GroupCircle: Error, Sendable, Hashable, CustomStringConvertible {
  /// The members, each of which comes after the next; the last is the first.
  public let members: [ReactorIdentity]

  /// The circle.
  public var description: String { members.map(\.description).joined(separator: " after ") }
}
