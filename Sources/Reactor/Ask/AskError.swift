/// Why an ask has no answer: the reactor, the action, and what happened.
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
  /// The reactor that was asked; `nil` if a ``Reply`` was made by hand.
  public let reactor: ReactorIdentity?

  /// The number of the action; `nil` if it was not accepted.
  public let actionNumber: ActionNumber?

  /// How the action ended, or why else there is no answer.
  ///
  /// It is never an ``ExpectedError`` of an effect or of the middleware: `ask` throws such an error
  /// itself.
  public let reason: ActionOutcome

  @usableFromInline
  package init(_ reactor: ReactorIdentity?, _ number: UInt64?, _ reason: ActionOutcome) {
    self.reactor = reactor
    actionNumber = number.map(ActionNumber.init)
    self.reason = reason
  }

  /// One line of text: the reactor, the action, and what happened.
  public var description: String {
    let subject = actionNumber.map { "action \($0)" } ?? "the action"
    let name = reactor.map { "\($0): " } ?? ""
    return "\(name)\(subject) was not answered: \(reason.reasonText)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension ActionOutcome {
  /// Why there is no answer, as a clause.
  fileprivate var reasonText: String {
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
      "it was refused, lane '\(lane.reportText)' is full"
    case .refused(.notOpened): "it was refused, \(ActionRefusal.notOpenedText)"
    case .failed(let error): "its effect failed: \(ReportText.text(ofError: error))"
    case .cancelled: "it was cancelled"
    case .neverBegun: "the reactor was stopped before it was begun"
    case .reactorEnded: "the reactor was stopped"
    case .released: "the last copy of its reply was released; keep it until it is answered"
    case .timedOut(let limit): "not within \(limit)"
    case .cycle(let steps):
      "asks wait for one another: "
        + steps.map { "\($0)" }.joined(separator: " waits for ")
    case .finished, .open, .forgotten: "it ended without an answer"
    }
  }
}
