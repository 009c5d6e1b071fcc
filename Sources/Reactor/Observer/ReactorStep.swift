import ReactorRuntime

/// Something that a reactor has done, as a ``ReactorObserver`` is told.
///
/// The values themselves are in it: nothing is copied out, compared or made into text unless
/// somebody asks. Its `description` is one line that shows what ``ReportText`` shows.
public struct ReactorStep: Sendable, CustomStringConvertible {
  /// Which reactor.
  public let reactor: ReactorIdentity

  /// The action that it is part of; `nil` where it is of none, as when a reactor starts.
  public let action: ObservedAction?

  /// When it happened; in a simulation, by its clock.
  ///
  /// `nil` where no observer of the reactor needs ``ObserverNeeds/times``.
  public var time: ContinuousClock.Instant? { ticks.map(WorkTime.instant(ofTicks:)) }

  /// What happened.
  public let kind: Kind

  /// When, in ticks of ``WorkTime``.
  private let ticks: Int64?

  /// A step, as a reactor tells it; for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - reactor: In which reactor.
  ///   - action: To which action, if to one.
  ///   - time: When.
  public init(
    _ kind: Kind, in reactor: ReactorIdentity, action: ObservedAction? = nil,
    at time: ContinuousClock.Instant = .now
  ) {
    self.init(kind, of: action, in: reactor, at: WorkTime.ticks(of: time))
  }

  init(
    _ kind: consuming Kind, of action: ObservedAction?, in reactor: ReactorIdentity,
    at ticks: Int64?
  ) {
    (self.kind, self.action, self.reactor, self.ticks) = (kind, action, reactor, ticks)
  }

  /// One line: the reactor, the action, and what happened; of values what ``ReportText`` shows.
  public var description: String {
    let subject = action.map { " action \($0.number) '\(ReportText.text(of: $0.value))'" } ?? ""
    return "\(reactor)\(subject): \(kind.text)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// What can happen.
  ///
  /// An action is taken, waits in its lane if it has to, is begun and has ended, each at most once,
  /// in this order; all that its work does lies between the beginning and the end. One that is
  /// never begun, because it was dropped, say, has an end all the same.
  public enum Kind: Sendable {
    /// The reactor has started, or begun anew after a stop, with this state: when it is first sent
    /// to or looked at, or a journal has opened it. To who comes later it is told before the next
    /// action.
    case started(state: any Sendable)
    /// The action has come out of the inbox, so long after it was sent, and so many are behind it;
    /// or a hook has made it. The time is `nil` where it was sent before anybody observed, where
    /// nobody sent it, and where no observer of the reactor needs ``ObserverNeeds/times``.
    case taken(waited: Duration?, behind: Int)
    /// The action has gone into `transform(action:)`. If the hook lets it out, it is begun; if not,
    /// it ends as finished.
    case intoHook
    /// The action waits in this lane.
    case waiting(lane: LaneKey)
    /// `mutate` is about to be called, so long after the action began to wait in its lane; `nil`
    /// where it did not.
    case begun(waited: Duration?)
    /// An effect is about to run.
    case effectBegun(EffectNumber)
    /// An effect has ended, after so long; `nil` where nobody needs times.
    case effectEnded(EffectNumber, EffectOutcome, took: Duration?)
    /// A mutation has been reduced.
    case reduced(StateTransition)
    /// The reactor has put this out.
    case output(any Sendable)
    /// The reactor reports something.
    case report(ReactorReport)
    /// The action's own work is over, so long after it was taken: how is said as by
    /// ``ActionReceipt/outcome``. The time is `nil` where nobody needs times.
    case ended(ActionOutcome, took: Duration?)
    /// `stop()` has been called: from here on no action is accepted.
    case stopping(StopMode)
    /// The reactor has ended; it may begin anew.
    case stopped
    /// The reactor is gone.
    case released
    /// Of a journaled reactor: what its journal has up to this sequence is kept.
    case durable(upTo: Int)
  }
}

/// The action that a step is part of.
public struct ObservedAction: Sendable {
  /// The action.
  public let value: any Sendable

  /// Its number in its reactor.
  public let number: ActionNumber

  /// What it was sent by: another action's work, of whatever reactor; `nil` where it was sent by
  /// none, behind a hook that held it back, and where no observer needs ``ObserverNeeds/causes``.
  public let cause: ReactorCause?

  /// The name of its case, or of its type; see ``ReportText/name(of:)``.
  public var name: String { ReportText.name(of: value) }

  /// An action; for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - value: The action.
  ///   - number: Its number.
  ///   - cause: What it was sent by.
  public init(_ value: any Sendable, number: ActionNumber, cause: ReactorCause? = nil) {
    (self.value, self.number, self.cause) = (value, number, cause)
  }
}

/// The number of an effect in its reactor, from 1 on; counted while somebody is told of them.
public typealias EffectNumber = UInt64

/// A mutation, and what it has made of the state.
public struct StateTransition: Sendable {
  /// The mutation.
  public let mutation: any Sendable

  /// Its number in its reactor, from 1 on; counted while somebody is told of them.
  public let number: UInt64

  /// The version of the state that it has made: one more than that of the state before it.
  ///
  /// While nobody watches or observes the reactor, versions are not counted on.
  public let version: UInt64

  /// The effect that has emitted it; `nil` where `mutate` or a hook has returned it.
  public let effect: EffectNumber?

  /// The state before; `nil` where no observer of the reactor needs ``ObserverNeeds/oldStates``.
  public let old: (any Sendable)?

  /// The state after.
  public let new: any Sendable

  /// A transition; for tests and for forwarding by hand.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - number: Its number.
  ///   - version: The version of the state that it has made.
  ///   - effect: The effect that has emitted it, if one has.
  ///   - old: The state before.
  ///   - new: The state after.
  public init(
    _ mutation: any Sendable, number: UInt64, version: UInt64 = 0, effect: EffectNumber? = nil,
    old: (any Sendable)?, new: any Sendable
  ) {
    self.mutation = mutation
    self.number = number
    self.version = version
    self.effect = effect
    self.old = old
    self.new = new
  }
}
