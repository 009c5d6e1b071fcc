import ReactorRuntime

/// Why an action was not accepted.
///
/// A server may answer by it: 503 for `stopped`, 429 for `inboxFull`, 409 for `laneFull`, 500 for
/// `notOpened`.
public enum ActionRefusal: Sendable, Hashable {
  /// The reactor had been stopped.
  case stopped
  /// As many actions waited as the inbox has room for.
  case inboxFull
  /// The sender was cancelled while it waited for room in the inbox.
  case senderCancelled
  /// As many actions waited in this lane as may.
  case laneFull(LaneKey)
  /// The reactor is journaled, and no journal has opened it: a mistake of the program's.
  case notOpened
}

extension ActionRefusal {
  /// What has to be done where no journal has opened a reactor, in a report and in an error.
  static let notOpenedText = "no journal has opened the reactor; get it by journal.open(_:_:)"
}

/// How an action's own work ended, or why an ask got no answer.
///
/// Where several parts of the work ended in different ways, the first one that did not finish
/// counts.
///
/// A receipt and `outcome(of:)` have the cases up to ``forgotten``. An ``AskError`` has the last
/// three as well, and of the others those that are not the end of an action that finished.
///
/// Outcomes can be compared. Two errors are equal if they are of one type and equal; where the type
/// is not `Equatable`, if they are printed alike.
///
/// ```swift
/// #expect(await reactor.outcome(of: .save) == .dropped("disk"))
/// ```
public enum ActionOutcome: Sendable {
  /// All of it is done; of an action that a hook has kept back or taken in, nothing more will come.
  case finished
  /// An effect threw this error; what it had emitted stands. An ``ExpectedError`` is a no, and has
  /// not been reported.
  case failed(any Error)
  /// Somebody cancelled it, by its receipt or its lane, before it was begun or in the middle.
  case cancelled
  /// It never started: another one ran in its lane.
  case dropped(LaneKey)
  /// It never started: a newer one came into its lane.
  case superseded(LaneKey)
  /// It ran when a newer one came into its lane, which cancelled it.
  case evicted(LaneKey)
  /// It never started: a stage of the ``ActionMiddleware`` dropped it, for this reason.
  case droppedByMiddleware(any Error)
  /// It was not accepted.
  case refused(ActionRefusal)
  /// The reactor was stopped, or went, before `mutate` saw the action: nothing of it has happened,
  /// and it can be sent anew, elsewhere.
  case neverBegun
  /// The reactor was stopped, or went, in the middle of the work: what it had begun may have come
  /// to its end or not. A payment is not to be sent anew without a look at what has become of it.
  case reactorEnded
  /// The work goes on: who waited for the outcome was cancelled.
  case open
  /// It ended too long ago; see ``ActionReceipt/outcome``.
  case forgotten
  /// Of an ask: the last copy of the reply was released without an answer.
  case released
  /// Of an ask: there was no answer within this time; the action has been cancelled.
  case timedOut(Duration)
  /// Of an ask: the actions would have waited for one another for ever; the one that asked last has
  /// been cancelled.
  ///
  /// The last step is the first one again.
  case circle([WaitingAction])

  /// Whether the work was done to its end.
  public var isFinished: Bool {
    if case .finished = self { true } else { false }
  }
}

extension ActionOutcome: Equatable {
  /// Whether both are the same case, with equal lanes, reasons or errors.
  public static func == (one: Self, other: Self) -> Bool {
    // Without a `default`, the compiler finds a case that is missing.
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
    case .circle(let one): if case .circle(let other) = other { one == other } else { false }
    }
  }
}

extension ActionRefusal: CustomStringConvertible {
  /// As one writes the case, and its lane, for a log: `laneFull(disk)`.
  public var description: String {
    let name = ReportText.name(of: self)
    if case .laneFull(let lane) = self { return "\(name)(\(lane.reportText))" }
    return name
  }
}

extension ActionOutcome: CustomStringConvertible {
  /// As one writes the case, with its lane, reason or error, for a log: `failed(RoomError.full)`.
  ///
  /// Of a lane's key and of an error only what a report would show; see ``ReportText``.
  public var description: String {
    let name = ReportText.name(of: self)
    return switch self {
    case .failed(let error), .droppedByMiddleware(let error):
      "\(name)(\(ReportText.text(ofError: error)))"
    case .dropped(let lane), .superseded(let lane), .evicted(let lane):
      "\(name)(\(lane.reportText))"
    case .refused(let refusal): "\(name)(\(refusal))"
    case .timedOut(let limit): "\(name)(\(limit))"
    case .circle(let steps): "\(name)(\(steps.map(\.description).joined(separator: ", ")))"
    case .finished, .cancelled, .neverBegun, .reactorEnded, .open, .forgotten, .released: name
    }
  }
}
