import CommandShell
package import Reactor

/// The texts of reports and errors for a user of the program: plain sentences, without names of
/// types, and without advice for the program's developer.
///
/// The developer's text is the `description` of the report or error, which belongs in a log.
extension ReactorReport {
  /// A sentence for a user of the program.
  package var userText: String {
    switch problem {
    case .effectFailed(let error): "the work failed: \(ReportText.text(ofError: error))"
    case .actionRefused: UserText.hasEnded
    case .inboxFull, .laneFull: UserText.tooMany
    case .senderCancelled: "the command was cancelled before it began"
    case .droppedInLane, .supersededInLane, .evictedFromLane: UserText.replaced
    case .droppedByMiddleware(let reason):
      "the command was refused: \(ReportText.text(ofError: reason))"
    case .actionDropped: "the command was not executed, since the program ended before"
    case .mutationDropped: "a part of the work is missing, since the program ended before"
    case .journalFailed(let error):
      "nothing more can be stored: \(ReportText.text(ofError: error))"
    case .journalStalled: "the disk is slow; what was changed is shown when it has been stored"
    case .unconfirmed(let count):
      "it is not known whether \(NumberText.counted(count, "change")) at the end were stored"
    case .snapshotSkipped: "a copy of the data cannot be read; the data is complete without it"
    case .snapshotFailed: "a copy of the data cannot be written; the data is complete without it"
    case .emittedTooLate, .hookEnded, .answeredTwice, .notOpened, .observationCycle,
      .hookInputIteratedTwice:
      "the program has a defect (\(ReportText.name(of: problem))); tell its author"
    }
  }
}

extension AskError {
  /// Whether the reactor reports the same problem.
  var isReported: Bool {
    switch reason {
    case .failed, .refused, .droppedByMiddleware: true
    default: false
    }
  }

  /// A sentence for a user of the program.
  var userText: String {
    switch reason {
    case .failed(let error): "the work failed: \(ReportText.text(ofError: error))"
    case .droppedByMiddleware(let reason):
      "the command was refused: \(ReportText.text(ofError: reason))"
    case .refused(.inboxFull), .refused(.laneFull): UserText.tooMany
    case .refused, .neverBegun, .reactorEnded: UserText.hasEnded
    case .dropped, .superseded, .evicted: UserText.replaced
    case .cancelled: "the command was cancelled"
    case .timedOut: "the command took too long, and was cancelled"
    case .finished, .open, .forgotten, .released, .cycle:
      "the program has a defect (\(ReportText.name(of: reason))); tell its author"
    }
  }
}

private enum UserText {
  static let hasEnded = "the command was refused, since what executes it has ended"
  static let tooMany = "the command was refused, since too many are waiting; try again later"
  static let replaced = "the command was replaced by another one"
}
