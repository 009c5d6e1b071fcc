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

/// How an action's own work ended.
///
/// Where several parts of the work ended in different ways, the first one that did not finish
/// counts.
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

  /// Whether the work was done to its end.
  public var isFinished: Bool {
    if case .finished = self { true } else { false }
  }
}

extension ActionOutcome: Equatable {
  /// Whether both are the same case, with equal lanes, reasons or errors.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.finished, .finished), (.cancelled, .cancelled), (.neverBegun, .neverBegun),
      (.reactorEnded, .reactorEnded), (.open, .open), (.forgotten, .forgotten):
      true
    case (.failed(let one), .failed(let other)),
      (.droppedByMiddleware(let one), .droppedByMiddleware(let other)):
      areEqual(one, other)
    case (.dropped(let one), .dropped(let other)),
      (.superseded(let one), .superseded(let other)), (.evicted(let one), .evicted(let other)):
      one == other
    case (.refused(let one), .refused(let other)): one == other
    // Without a `default`, the compiler finds a case that is missing above.
    case (.finished, _), (.failed, _), (.cancelled, _), (.dropped, _), (.superseded, _),
      (.evicted, _), (.droppedByMiddleware, _), (.refused, _), (.neverBegun, _),
      (.reactorEnded, _), (.open, _), (.forgotten, _):
      false
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
    case .finished, .cancelled, .neverBegun, .reactorEnded, .open, .forgotten: name
    }
  }
}
