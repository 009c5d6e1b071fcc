import ReactorRuntime

/// One step of a reactor, as a ``ReactorObserver`` receives it.
///
/// It contains the values themselves: nothing is copied, compared or made into text unless an
/// observer does so. Its `description` is one line of text that shows what ``ReportText`` shows.
public struct ReactorStep: Sendable, CustomStringConvertible {
  /// The reactor.
  public let reactor: ReactorIdentity

  /// The action that it is part of; `nil` if it is part of none, such as the start of a reactor.
  public let action: ObservedAction?

  /// When it happened; in a simulation, by its clock.
  ///
  /// `nil` if no observer of the reactor needs ``ObserverNeeds/times``.
  public var time: ContinuousClock.Instant? { ticks.map(WorkTime.instant(ofTicks:)) }

  /// What happened.
  public let kind: Kind

  /// The time in ticks of ``WorkTime``.
  private let ticks: Int64?

  /// Creates a step like those of reactors; for tests and for forwarding.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - reactor: The reactor.
  ///   - action: The action, if it is part of one.
  ///   - time: When it happened.
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

  /// One line of text: the reactor, the action, and what happened; shows of values what
  /// ``ReportText`` does.
  public var description: String {
    let subject = action.map { " action \($0.number) '\(ReportText.text(of: $0.value))'" } ?? ""
    return "\(reactor)\(subject): \(kind.text)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The kinds of steps.
  ///
  /// An action is taken, waits in its lane if it has to, is begun, and has ended: each at most
  /// once, and in this order. All steps of its work are between its beginning and its end. An
  /// action that is never begun, for example because it was dropped, has an end all the same.
  public enum Kind: Sendable {
    /// The reactor has started with this state, or has been restarted after a stop.
    ///
    /// A reactor starts when an action is first sent, when its state is first read or observed, or
    /// when a journal opens it. An observer that is added later receives this step before the next
    /// action.
    case started(state: any Sendable)
    /// The action has been dequeued, or a hook has made it.
    ///
    /// `waited` is the time since it was sent, and `behind` the number of actions that wait behind
    /// it. The time is `nil` if the action was sent before there was an observer, if a hook made
    /// it, and if no observer of the reactor needs ``ObserverNeeds/times``.
    case taken(waited: Duration?, behind: Int)
    /// The action has been passed to `transform(action:)`.
    ///
    /// If the hook returns it, it is begun; if not, it ends as finished.
    case intoHook
    /// The action waits in this lane.
    case waiting(lane: LaneKey)
    /// `mutate` is about to be called.
    ///
    /// `waited` is the time since the action began to wait in its lane; `nil` if it did not wait.
    case begun(waited: Duration?)
    /// An effect is about to run.
    case effectBegun(EffectNumber)
    /// An effect has ended, after this time; `nil` if no observer needs times.
    case effectEnded(EffectNumber, EffectOutcome, took: Duration?)
    /// A mutation has been reduced.
    case reduced(StateTransition)
    /// The reactor has delivered this output.
    case output(any Sendable)
    /// The reactor has reported a problem.
    case report(ReactorReport)
    /// The action's own work has ended, with the outcome that ``ActionReceipt/outcome`` returns.
    ///
    /// `took` is the time since it was taken; `nil` if no observer needs times.
    case ended(ActionOutcome, took: Duration?)
    /// `stop()` has been called: from here on no action is accepted.
    case stopping(StopMode)
    /// The reactor has ended; it may be restarted.
    case stopped
    /// The reactor has been released.
    case released
    /// For a journaled reactor: its journal is durable up to this sequence number.
    case durable(upTo: Int)
  }
}

/// The action that a step is part of.
public struct ObservedAction: Sendable {
  /// The action.
  public let value: any Sendable

  /// Its number in its reactor.
  public let number: ActionNumber

  /// The action whose work sent it, in any reactor.
  ///
  /// `nil` if no action's work sent it, behind a hook that held it back, and if no observer needs
  /// ``ObserverNeeds/causes``.
  public let cause: ReactorCause?

  /// The name of its case, or of its type; see ``ReportText/name(of:)``.
  public var name: String { ReportText.name(of: value) }

  /// Creates an action of a step; for tests and for forwarding.
  ///
  /// - Parameters:
  ///   - value: The action.
  ///   - number: Its number.
  ///   - cause: The action that sent it.
  public init(_ value: any Sendable, number: ActionNumber, cause: ReactorCause? = nil) {
    (self.value, self.number, self.cause) = (value, number, cause)
  }
}

/// The number of an effect in its reactor, from 1 on; counted while an observer needs effects.
public typealias EffectNumber = UInt64

/// A mutation, and the state that results from it.
public struct StateTransition: Sendable {
  /// The mutation.
  public let mutation: any Sendable

  /// Its number in its reactor, from 1 on; counted while an observer needs mutations.
  public let number: UInt64

  /// The version of the resulting state: one more than that of the state before it.
  ///
  /// While the reactor has neither subscribers nor observers, versions do not increase.
  public let version: UInt64

  /// The effect that emitted it; `nil` if `mutate` or a hook returned it.
  public let effect: EffectNumber?

  /// The state before; `nil` if no observer of the reactor needs ``ObserverNeeds/oldStates``.
  public let old: (any Sendable)?

  /// The state after.
  public let new: any Sendable

  /// Creates a transition; for tests and for forwarding.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - number: Its number.
  ///   - version: The version of the resulting state.
  ///   - effect: The effect that emitted it, if one did.
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
