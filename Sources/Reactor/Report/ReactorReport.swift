/// A problem that would otherwise go unnoticed: what happened, in which reactor, to which action.
///
/// Its `description` is one line of text that names all three, and says what would help:
///
/// ```
/// Room#7 'lobby': the effect of action 12 'join' failed: RoomError.full
/// ```
///
/// The line does not show the contents of an action, a mutation or an error, unless their author
/// has defined their text; see ``ReportText``. The values themselves are properties, for a handler
/// that may read them.
public struct ReactorReport: Sendable, CustomStringConvertible {
  /// The hook that a report is about.
  public enum Hook: String, Sendable, Hashable {
    /// `transform(action:)`.
    case action
    /// `transform(mutation:)`.
    case mutation
    /// `transform(state:)`.
    case state
  }

  /// The kinds of problems.
  public enum Problem: Sendable {
    /// The action's effect threw this error; the mutations that it had emitted remain, and the
    /// reactor continues.
    case effectFailed(any Error)
    /// The action was sent after `stop()`; it was not taken.
    case actionRefused
    /// The action was sent while the inbox was full; it was not taken.
    case inboxFull
    /// The action's sender was cancelled while it waited for capacity in the inbox; the action was
    /// not taken.
    case senderCancelled
    /// The maximum number of actions waited in its lane; the action was not started.
    case laneFull(LaneKey)
    /// Another action was running in its lane; the action was not started.
    case droppedInLane(LaneKey)
    /// The action waited in its lane when a newer one arrived; it was not started.
    case supersededInLane(LaneKey)
    /// The action's effect was running in its lane when a newer action arrived; it was cancelled.
    case evictedFromLane(LaneKey)
    /// A stage of the middleware dropped the action, for this reason; it was not started.
    case droppedByMiddleware(any Error)
    /// The action was accepted, and perhaps waited in a lane or a hook, but the reactor ended
    /// before `mutate` was called with it.
    case actionDropped
    /// The mutation was in `transform(mutation:)` when the reactor ended; it was not reduced.
    case mutationDropped(any Sendable)
    /// The action's effect emitted this mutation after its body had ended; it was not reduced.
    case emittedTooLate(any Sendable)
    /// The hook's sequence ended before the reactor did; later elements bypass the hook.
    case hookEnded(Hook)
    /// The action's ``Reply`` was answered a second time; the first answer counts.
    case answeredTwice
    /// The reactor is journaled, and no journal has it open; the action was not taken.
    ///
    /// Without an action, it is the report of a ``Reactor/Reactor/restart(from:)``.
    case notOpened
    /// The journal could not be written: the reactor has ended with the last state that is durable.
    case journalFailed(any Error)
    /// A commit of the journal's store takes unusually long. It is reported once, by one of the
    /// reactors that wait for it; the error says since when.
    case journalStalled(any Error)
    /// The reactor ended before the store confirmed this number of mutations: they may be durable
    /// or not.
    case unconfirmed(Int)
    /// A snapshot could not be read, and was skipped: the state was restored from the mutations.
    case snapshotSkipped(any Error)
    /// A snapshot could not be made. What was kept remains, and is replayed as before. Another
    /// snapshot is tried when as much has been added once more.
    case snapshotFailed(any Error)
    /// An observer sent the action when it was notified of one that an observer had sent. The
    /// action is performed. It, and others like it, are not delivered to observers.
    case observationCycle
    /// The hook iterated its input a second time; the second iteration is empty.
    case hookInputIteratedTwice(Hook)
  }

  /// The type of the reactor, which this layer does not know; see `ReactorReport+Type`.
  let type: Any.Type

  /// The reactor's identity; `nil` in a report that was made by hand without it.
  public let identity: ReactorIdentity?

  /// The action concerned; `nil` if there is none.
  public let action: (any Sendable)?

  /// The number of the action concerned; `nil` if there is none, or it was not accepted.
  ///
  /// It is that of its receipt, ``ActionReceipt/actionNumber``.
  public let actionNumber: ActionNumber?

  /// What happened.
  public let problem: Problem

  @usableFromInline
  init(
    of type: Any.Type, identity: ReactorIdentity?, action: (any Sendable)?,
    actionNumber: ActionNumber?, problem: Problem
  ) {
    self.type = type
    self.identity = identity
    self.action = action
    self.actionNumber = actionNumber
    self.problem = problem
  }

  /// Whether the problem is expected: a lane's rules were applied, or middleware declined with an
  /// ``ExpectedError``.
  ///
  /// Such reports are delivered like all others, but the default, a line on standard error, is
  /// omitted for them.
  public var isRoutine: Bool {
    switch problem {
    case .droppedInLane, .supersededInLane, .evictedFromLane: true
    case .droppedByMiddleware(let reason): reason is any ExpectedError
    default: false
    }
  }

  /// One line of text: the reactor, the action, what happened, and what would help.
  public var description: String {
    let subject = subject
    let source = actionNumber.map { " of action \($0)" } ?? ""
    let text =
      switch problem {
      case .effectFailed(let error):
        "the effect of \(subject) failed: \(ReportText.text(ofError: error))"
      case .actionRefused:
        "\(subject) was refused: the reactor has been stopped"
      case .inboxFull:
        "\(subject) was refused: the inbox is full; raise its limit, or wait with sendWhenRoom(_:)"
      case .senderCancelled:
        "\(subject) was not sent: its sender was cancelled while it waited for space in the inbox"
      case .laneFull(let lane):
        "\(subject) was refused: "
          + "lane '\(lane.reportText)' is full; raise its limit, or send less"
      case .droppedInLane(let lane):
        "\(subject) was dropped: lane '\(lane.reportText)' was taken"
      case .supersededInLane(let lane):
        "\(subject) never started: a newer action came into lane '\(lane.reportText)'"
      case .evictedFromLane(let lane):
        "the effect of \(subject) was cancelled: "
          + "a newer action came into lane '\(lane.reportText)'"
      case .droppedByMiddleware(let reason):
        "\(subject) was dropped by the middleware: \(ReportText.text(ofError: reason))"
      case .actionDropped:
        "\(subject) was dropped: the reactor ended before it was begun"
      case .mutationDropped(let mutation):
        "mutation '\(ReportText.text(of: mutation))'\(source) was dropped: "
          + "the reactor ended before it was reduced"
      case .emittedTooLate(let mutation):
        "mutation '\(ReportText.text(of: mutation))' was ignored: the effect of \(subject) "
          + "had already ended; await everything that emits before the body returns"
      case .answeredTwice:
        "the reply\(source) was answered a second time; the first answer is used"
      case .notOpened where action == nil:
        "the restart was refused: \(ActionRefusal.notOpenedText)"
      case .notOpened:
        "\(subject) was refused: \(ActionRefusal.notOpenedText)"
      case .journalFailed(let error):
        "the reactor has ended, because what it did could not be kept: "
          + ReportText.text(ofError: error)
      case .journalStalled(let error):
        "the journal waits for its store: \(ReportText.text(ofError: error))"
      case .unconfirmed(let count):
        "the reactor has ended before \(count) mutations were known to be kept"
      case .snapshotFailed(let error):
        "a snapshot could not be made: \(ReportText.text(ofError: error)); "
          + "all mutations are kept, and another one is tried later"
      case .snapshotSkipped(let error):
        "a snapshot was skipped: \(ReportText.text(ofError: error))"
      case .observationCycle:
        "\(subject) was sent by an observer for an action that an observer had sent; "
          + "such actions are performed and not observed"
      case .hookEnded(let hook):
        "the sequence of transform(\(hook.rawValue):) ended and is now bypassed; "
          + "return one that lasts as long as its input"
      case .hookInputIteratedTwice(let hook):
        "transform(\(hook.rawValue):) iterated its input twice, and the second iteration sees "
          + "nothing; share the input instead"
      }
    let name = identity.map { "\($0)" } ?? "\(type)"
    return "\(name): \(text)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private var subject: String {
    let number = actionNumber.map { "\($0) " } ?? ""
    return action.map { "action \(number)'\(ReportText.text(of: $0))'" } ?? "no action"
  }
}
