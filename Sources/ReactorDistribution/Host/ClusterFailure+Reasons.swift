import Foundation
import Reactor
import ReactorJournal

/// Converts errors and outcomes to failures.
extension ClusterFailure {
  static let released = ClusterFailure(.released, "the last copy of its reply was released")

  static func late(_ seconds: Double?) -> ClusterFailure {
    ClusterFailure(.late, "not within \(seconds ?? 0) s")
  }

  /// Whether another attempt, on the host that owns the reactor by then, may succeed or learn more.
  var isWorthAnotherTry: Bool { kind == .ended || kind == .neverBegun }

  /// Creates the reason why an action was not answered, from an error of the library.
  init(_ error: any Error) {
    switch error {
    case let failure as ClusterFailure: self = failure
    // The mutations could not be stored, so the reactor has ended.
    case let error as JournalError: self = ClusterFailure(.ended, error.description)
    default: self.init(thrown: error)
    }
  }

  /// Creates the reason why an action failed, from an error that an effect or a reply threw.
  ///
  /// Its kind is always a failure. Such an error may say that *another* reactor has ended. That
  /// says nothing about this one, so the action must not be repeated because of it.
  init(thrown error: any Error) {
    if error is CancellationError {
      self.init(.cancelled, "it was cancelled")
    } else {
      let refusal = (error as? any ExpectedError).map { ReportText.name(of: $0) }
      self.init(.failed, ReportText.text(ofError: error), refusal: refusal)
    }
  }

  /// Creates the reason why an action did not finish; `nil` if it did.
  init?(_ outcome: ActionOutcome) {
    switch outcome {
    case .finished: return nil
    case .forgotten, .open: self.init(.forgotten, "its outcome is no longer known")
    case .failed(let error): self.init(thrown: error)
    case .cancelled: self.init(.cancelled, "it was cancelled")
    case .dropped, .superseded, .evicted:
      self.init(.dropped, "another action took its place in its lane")
    case .droppedByMiddleware(let reason):
      self.init(.dropped, ReportText.text(ofError: reason))
    case .refused(let refusal): self.init(Kind(of: refusal), "refused: \(refusal)")
    case .neverBegun: self.init(.neverBegun, "the reactor was stopped before it was begun")
    case .reactorEnded: self.init(.ended, "the reactor ended in the middle")
    // Only an ask has these outcomes, and a command is not one.
    case .released: self = .released
    case .timedOut(let limit): self.init(.late, "not within \(limit)")
    case .cycle: self.init(.failed, "\(outcome)")
    }
  }

  /// The failure as the outcome of an action.
  var outcome: ActionOutcome {
    switch kind {
    case .cancelled: .cancelled
    case .neverBegun: .neverBegun
    case .ended: .reactorEnded
    case .refused: .refused(.inboxFull)
    case .forgotten: .forgotten
    case .failed, .dropped, .late, .released, .notMade: .failed(self)
    }
  }
}

extension ClusterFailure.Kind {
  /// A stopped reactor has a successor, so another attempt may succeed; a full one refuses the
  /// action.
  init(of refusal: ActionRefusal) { self = refusal == .stopped ? .neverBegun : .refused }
}
