import ReactorRuntime

/// Why an action was not accepted.
///
/// A server may map it to a status: 503 for `stopped`, 429 for `inboxFull`, 409 for `laneFull`, 500
/// for `notOpened`.
public enum ActionRefusal: Sendable, Hashable {
  /// The reactor had been stopped.
  case stopped
  /// The inbox was full.
  case inboxFull
  /// The sender was cancelled while it waited for capacity in the inbox.
  case senderCancelled
  /// As many actions waited in this lane as are allowed.
  case laneFull(LaneKey)
  /// The reactor is journaled, and no journal has opened it: a programming error.
  case notOpened
}

extension ActionRefusal {
  /// What to do if no journal has a reactor open; used in reports and in an error.
  static let notOpenedText = "no journal has the reactor open; open it with journal.open(_:_:)"
}

/// How an action's own work ended, or why an ask got no answer.
///
/// If several parts of the work ended in different ways, the first one that did not finish counts.
///
/// A receipt and `outcome(of:)` use the cases up to ``forgotten``. An ``AskError`` also uses the
/// last three. Of the others, it uses those that are not the end of a finished action.
///
/// Outcomes can be compared. Two errors are equal if they have the same type and are equal. If the
/// type is not `Equatable`, they are equal if their debug descriptions are.
/// ```swift
/// #expect(await reactor.outcome(of: .save) == .dropped("disk"))
/// ```
public enum ActionOutcome: Sendable {
  /// All of its work is done.
  ///
  /// If a hook has held the action back or absorbed it, nothing more follows.
  case finished
  /// An effect threw this error; what it had emitted remains.
  ///
  /// An ``ExpectedError`` is a rejection, and was not reported. In a journaled reactor, it may also
  /// be the error of the journal, which could not store the mutations of the action.
  case failed(any Error)
  /// It was cancelled, by its receipt or its lane, before it began or in the middle.
  ///
  /// An action whose effect threw a `CancellationError` ends in this way, too.
  case cancelled
  /// It never started: another action was running in its lane.
  case dropped(LaneKey)
  /// It never started: a newer action arrived in its lane.
  case superseded(LaneKey)
  /// It was running when a newer action arrived in its lane, which cancelled it.
  case evicted(LaneKey)
  /// It never started: a stage of the ``ActionMiddleware`` dropped it, for this reason.
  case droppedByMiddleware(any Error)
  /// It was not accepted.
  case refused(ActionRefusal)
  /// The reactor was stopped or released before the work of the action began.
  ///
  /// As a rule, `mutate` was not called with the action. Nothing of the action has happened, and it
  /// can be sent again, elsewhere.
  ///
  /// An effect marked ``MutationStream/cancelledByDrain()`` that would begin during a drain also
  /// ends in this way. The effect has not begun, but `mutate` was called, and what it did itself
  /// has happened.
  case neverBegun
  /// The reactor was stopped or released in the middle of the work.
  ///
  /// What the work had begun may or may not have completed. So a payment must not be sent again
  /// without first checking what became of it.
  case reactorEnded
  /// The work continues: the task that waited for the outcome was cancelled.
  case open
  /// It ended too long ago; see ``ActionReceipt/outcome``.
  case forgotten
  /// For an ask: the last copy of the reply was released without an answer.
  case released
  /// For an ask: there was no answer within this time, and the action was cancelled.
  case timedOut(Duration)
  /// For an ask: the actions would have waited for one another forever, and the one that asked last
  /// was cancelled.
  ///
  /// The last step is the same as the first.
  case cycle([WaitingAction])

  /// Whether all of the work was done.
  public var isFinished: Bool {
    if case .finished = self { true } else { false }
  }
}

extension ActionOutcome: Equatable {
  /// Returns whether both are the same case, with equal lanes, reasons or errors.
  public static func == (one: Self, other: Self) -> Bool {
    // Without a `default`, the compiler reports a missing case.
    switch one {
    case .finished: if case .finished = other { true } else { false }
    case .failed(let one):
      if case .failed(let other) = other { areEqual(one, other) } else { false }
    case .cancelled: if case .cancelled = other { true } else { false }
    case .dropped(let one): if case .dropped(let other) = other { one == other } else { false }
    case .superseded(let one):
      if case .superseded(let other) = other { one == other } else { false }
    case .evicted(let one): if case .evicted(let other) = other { one == other } else { false }
    case .droppedByMiddleware(let one):
      if case .droppedByMiddleware(let other) = other { areEqual(one, other) } else { false }
    case .refused(let one): if case .refused(let other) = other { one == other } else { false }
    case .neverBegun: if case .neverBegun = other { true } else { false }
    case .reactorEnded: if case .reactorEnded = other { true } else { false }
    case .open: if case .open = other { true } else { false }
    case .forgotten: if case .forgotten = other { true } else { false }
    case .released: if case .released = other { true } else { false }
    case .timedOut(let one): if case .timedOut(let other) = other { one == other } else { false }
    case .cycle(let one): if case .cycle(let other) = other { one == other } else { false }
    }
  }
}

extension ActionRefusal: CustomStringConvertible {
  /// The case and its lane, as written in code, for a log: `laneFull(disk)`.
  public var description: String {
    let name = ReportText.name(of: self)
    if case .laneFull(let lane) = self { return "\(name)(\(lane.reportText))" }
    return name
  }
}

extension ActionOutcome: CustomStringConvertible {
  /// The case with its lane, reason or error, as written in code, for a log:
  /// `failed(RoomError.full)`.
  ///
  /// Of a lane's key and of an error, it contains only what a report would show; see
  /// ``ReportText``.
  public var description: String {
    let name = ReportText.name(of: self)
    return switch self {
    case .failed(let error), .droppedByMiddleware(let error):
      "\(name)(\(ReportText.text(ofError: error)))"
    case .dropped(let lane), .superseded(let lane), .evicted(let lane):
      "\(name)(\(lane.reportText))"
    case .refused(let refusal): "\(name)(\(refusal))"
    case .timedOut(let limit): "\(name)(\(limit))"
    case .cycle(let steps): "\(name)(\(steps.map(\.description).joined(separator: ", ")))"
    case .finished, .cancelled, .neverBegun, .reactorEnded, .open, .forgotten, .released: name
    }
  }
}
