import Foundation
import Reactor
import ReactorJournal

/// What there is to be said of an action that did not end as it should.
extension ClusterFailure {
  static let released = ClusterFailure(.released, "the last copy of its reply was let go")

  static func late(_ seconds: Double?) -> ClusterFailure {
    ClusterFailure(.late, "not within \(seconds ?? 0) s")
  }

  /// Whether another attempt, at the host that has the reactor then, may do or find out more.
  var isWorthAnotherTry: Bool { kind == .ended || kind == .neverBegun }

  /// Why an action was not answered: what the library itself has to say of it.
  init(_ error: any Error) {
    switch error {
    case let failure as ClusterFailure: self = failure
    // What could not be kept: the reactor has ended.
    case let error as JournalError: self = ClusterFailure(.ended, error.description)
    default: self.init(thrown: error)
    }
  }

  /// Why an action was not answered, or failed: what an effect or an answer threw.
  ///
  /// It is a failure whatever its name. One that was thrown because *another* reactor had ended
  /// says nothing of this one, and the action must not be done once more for it.
  init(thrown error: any Error) {
    if error is CancellationError {
      self.init(.cancelled, "it was cancelled")
    } else {
      let refusal = (error as? any ExpectedError).map { ReportText.name(of: $0) }
      self.init(.failed, ReportText.text(ofError: error), refusal: refusal)
    }
  }

  /// Why an action did not end as it should; `nil` if it did.
  init?(_ outcome: ActionOutcome) {
    switch outcome {
    case .finished: return nil
    case .forgotten, .open: self.init(.forgotten, "nobody knows any more how it ended")
    case .failed(let error): self.init(thrown: error)
    case .cancelled: self.init(.cancelled, "it was cancelled")
    case .dropped, .superseded, .evicted:
      self.init(.dropped, "another action took its place in its lane")
    case .droppedByMiddleware(let reason):
      self.init(.dropped, ReportText.text(ofError: reason))
    case .refused(let refusal): self.init(Kind(of: refusal), "refused: \(refusal)")
    case .neverBegun: self.init(.neverBegun, "the reactor was stopped before it was begun")
    case .reactorEnded: self.init(.ended, "the reactor ended in the middle")
    // Of an ask alone, which a command is not.
    case .released: self = .released
    case .timedOut(let limit): self.init(.late, "not within \(limit)")
    case .circle: self.init(.failed, "\(outcome)")
    }
  }

  /// As the end of an action.
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
  /// A reactor that had been stopped has another one after it; a full one is full.
  init(of refusal: ActionRefusal) { self = refusal == .stopped ? .neverBegun : .refused }
}
