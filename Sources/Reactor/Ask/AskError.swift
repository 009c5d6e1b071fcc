/// Why somebody who asked got no answer: of which reactor and action, and what happened.
///
/// ```swift
/// do {
///   return try await .created(office.ask { .buy(3, $0) })
/// } catch let error as AskError {
///   switch error.reason {
///   case .refused(.stopped), .neverBegun: return .serviceUnavailable
///   case .refused, .dropped, .superseded, .evicted: return .tooManyRequests
///   case .timedOut: return .gatewayTimeout
///   default: throw error
///   }
/// }
/// ```
///
/// Its `description` is one line of text.
public struct AskError: Error, Equatable, CustomStringConvertible {
  /// What happened.
  ///
  /// Reasons can be compared, like outcomes; see ``ActionOutcome``.
  public enum Reason: Sendable {
    /// The action never started: another one ran in its lane.
    case dropped(LaneKey)
    /// The action never started: a newer one came into its lane.
    case superseded(LaneKey)
    /// The action ran when a newer one came into its lane, which cancelled it.
    case evicted(LaneKey)
    /// The action never started: a stage of the middleware dropped it, for this reason, which is
    /// not an ``ExpectedError``; such a one is thrown as it is.
    case droppedByMiddleware(any Error)
    /// The action was not accepted.
    case refused(ActionRefusal)
    /// An effect of the action threw this error, which is not an ``ExpectedError``; such a one is
    /// thrown as it is.
    case failed(any Error)
    /// Somebody else cancelled the action, by its lane say.
    case cancelled
    /// The reactor was stopped before the action was begun: it can be sent anew, elsewhere.
    case neverBegun
    /// The reactor was stopped before it had answered; what had been begun may be done.
    case reactorEnded
    /// The last copy of the reply was let go, without a word.
    case released
    /// There was no answer within this time; the action has been cancelled.
    case timedOut(Duration)
    /// Those who ask would have waited for one another for ever; the action has been cancelled.
    ///
    /// The last step is the first one again.
    case circle([Step])
  }

  /// An action that waits for the next one: because its work asks it, or because that one is in its
  /// lane.
  public struct Step: Sendable, Equatable, CustomStringConvertible {
    /// Whose action.
    public let reactor: ReactorIdentity
    /// The action's number.
    public let actionNumber: ActionNumber
    /// What kind of action, as ``ReportText/name(of:)`` says it.
    public let actionName: String

    /// As reports name it: `action 12 'buy' of Office#1`.
    public var description: String { "action \(actionNumber) '\(actionName)' of \(reactor)" }
  }

  /// Which reactor was asked; `nil` where a ``Reply`` was made by hand.
  public let reactor: ReactorIdentity?

  /// The number of the action; `nil` where it was not accepted.
  public let actionNumber: ActionNumber?

  /// What happened.
  public let reason: Reason

  @usableFromInline
  package init(_ reactor: ReactorIdentity?, _ number: UInt64?, _ reason: Reason) {
    self.reactor = reactor
    actionNumber = number.map(ActionNumber.init)
    self.reason = reason
  }

  /// One line: the reactor, the action, and what happened.
  public var description: String {
    let subject = actionNumber.map { "action \($0)" } ?? "the action"
    let name = reactor.map { "\($0): " } ?? ""
    return "\(name)\(subject) was not answered: \(reason.text)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension AskError.Reason: Equatable {
  /// Whether both are the same case, with equal lanes, reasons, times or errors.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.cancelled, .cancelled), (.neverBegun, .neverBegun), (.reactorEnded, .reactorEnded),
      (.released, .released):
      true
    case (.failed(let one), .failed(let other)),
      (.droppedByMiddleware(let one), .droppedByMiddleware(let other)):
      areEqual(one, other)
    case (.dropped(let one), .dropped(let other)),
      (.superseded(let one), .superseded(let other)), (.evicted(let one), .evicted(let other)):
      one == other
    case (.refused(let one), .refused(let other)): one == other
    case (.timedOut(let one), .timedOut(let other)): one == other
    case (.circle(let one), .circle(let other)): one == other
    // Without a `default`, the compiler finds a case that is missing above.
    case (.dropped, _), (.superseded, _), (.evicted, _), (.droppedByMiddleware, _),
      (.refused, _), (.failed, _), (.cancelled, _), (.neverBegun, _), (.reactorEnded, _),
      (.released, _), (.timedOut, _), (.circle, _):
      false
    }
  }
}

extension AskError.Reason {
  fileprivate var text: String {
    switch self {
    case .dropped(let lane): "it was dropped, lane '\(lane.reportText)' was taken"
    case .superseded(let lane):
      "it never started, a newer action came into lane '\(lane.reportText)'"
    case .evicted(let lane):
      "it was cancelled, a newer action came into lane '\(lane.reportText)'"
    case .droppedByMiddleware(let reason):
      "it was dropped by the middleware: \(ReportText.text(ofError: reason))"
    case .refused(.stopped): "it was refused, the reactor has been stopped"
    case .refused(.inboxFull): "it was refused, the inbox is full"
    case .refused(.senderCancelled): "it was not sent, its sender was cancelled"
    case .refused(.laneFull(let lane)):
      "it was refused, as many wait in lane '\(lane.reportText)' as may"
    case .refused(.notOpened): "it was refused, \(ActionRefusal.notOpenedText)"
    case .failed(let error): "its effect failed: \(ReportText.text(ofError: error))"
    case .cancelled: "it was cancelled"
    case .neverBegun: "the reactor was stopped before it was begun"
    case .reactorEnded: "the reactor was stopped"
    case .released: "the last copy of its reply was let go; keep it until it is answered"
    case .timedOut(let limit): "not within \(limit)"
    case .circle(let steps):
      "those who ask wait for one another: "
        + steps.map { "\($0)" }.joined(separator: " waits for ")
    }
  }

  /// What an action's outcome means for its asker; `nil` where it has finished, or is not known.
  init?(_ outcome: ActionOutcome) {
    switch outcome {
    case .finished, .open, .forgotten: return nil
    case .failed(let error): self = .failed(error)
    case .cancelled: self = .cancelled
    case .neverBegun: self = .neverBegun
    case .reactorEnded: self = .reactorEnded
    case .dropped(let lane): self = .dropped(lane)
    case .superseded(let lane): self = .superseded(lane)
    case .evicted(let lane): self = .evicted(lane)
    case .refused(let refusal): self = .refused(refusal)
    case .droppedByMiddleware(let reason): self = .droppedByMiddleware(reason)
    }
  }
}
