public import Foundation
package import Reactor

/// What goes wrong with a journal.
///
/// Its `description` names the reactor, the identifier, and where in the journal it is.
public enum JournalError: Error, Sendable, CustomStringConvertible {
  /// Another reactor has it open, in this process or another one.
  case alreadyOpen(JournalKey)
  /// Another owner has taken the journal over; what is written under this epoch is refused.
  case fenced(JournalKey, epoch: Int)
  /// The journal does not end where the writer thought.
  case outOfOrder(JournalKey, expected: Int, last: Int)
  /// An entry is missing.
  case missing(JournalKey, sequence: Int)
  /// What led to a state has been deleted: there is none before this entry any more, and nothing
  /// that could be undone.
  case deleted(JournalKey, through: Int)
  /// Others change the state faster than its history can be read; nothing has been done.
  case busy(JournalKey)
  /// What is kept is not what was written; with 0, where it is not known which entry.
  case corrupt(JournalKey, sequence: Int)
  /// A mutation cannot be read; its bytes are left as they are.
  case undecodable(JournalKey, sequence: Int, version: Int, cause: any Error)
  /// A mutation cannot be written.
  case unencodable(JournalKey, sequence: Int, cause: any Error)
  /// A snapshot cannot be read.
  case undecodableSnapshot(JournalKey, sequence: Int, version: Int, cause: any Error)
  /// Making the state again has come to another state than the reactor had: at this entry, or at
  /// one before it that no hash stands beside, and after the last one where it was still the same.
  case diverged(JournalKey, sequence: Int, after: Int)
  /// There is no such place in the history.
  case outside(JournalKey, sequence: Int, first: Int, last: Int)
  /// The store failed, and it is not known, or certain, that anything has been kept.
  case storeFailed(JournalKey, cause: any Error)
  /// The reactor has ended before what was waited for was kept.
  case ended(JournalKey)
  /// The reactor that was to be opened has taken actions, or has been opened, already.
  case alreadyStarted(JournalKey)
  /// There is no journal of this identifier.
  case nothingKept(JournalKey)
  /// There is a journal of this identifier already, be it one that was opened and is empty.
  case occupied(JournalKey)
  /// The store gives no journal another identifier.
  case notMovable(JournalKey)
  /// No journal can be called so: there is a NUL in it.
  case invalid(JournalKey)
  /// The file cannot be used.
  case unusable(String, cause: any Error)

  /// In words, for a report.
  public var description: String {
    switch self {
    case .alreadyOpen(let key):
      "the journal of \(key) is open already, in this process or another: end that one first"
    case .fenced(let key, let epoch):
      "the journal of \(key) has been taken over by another writer, after epoch \(epoch)"
    case .outOfOrder(let key, let expected, let last):
      "the journal of \(key) ends at \(last), not at \(expected)"
    case .missing(let key, let sequence): "entry \(sequence) of \(key) is missing"
    case .deleted(let key, let sequence):
      "what \(key) did before entry \(sequence + 1) has been deleted: it can be neither looked at "
        + "nor undone"
    case .busy(let key):
      "\(key) is changed by others all the time: nothing has been undone or redone; try again"
    case .corrupt(let key, 0):
      "the journal of \(key) is damaged; it has been left as it is; to start over, use setAside"
    case .corrupt(let key, let sequence):
      "entry \(sequence) of \(key) is damaged; it has been left as it is; to start over, use "
        + "setAside"
    case .undecodable(let key, let sequence, let version, let cause):
      "entry \(sequence) of \(key), of version \(version), cannot be read, and has been left as "
        + "it is: \(ReportText.text(ofError: cause))"
    case .unencodable(let key, let sequence, let cause):
      "mutation \(sequence) of \(key) cannot be encoded: \(ReportText.text(ofError: cause))"
    case .undecodableSnapshot(let key, let sequence, let version, let cause):
      "the snapshot of \(key) at \(sequence), of version \(version), cannot be read: "
        + ReportText.text(ofError: cause)
    case .diverged(let key, let sequence, let agreed):
      "replaying \(key) has come to another state "
        + (sequence == agreed + 1
          ? "at entry \(sequence)" : "after entry \(agreed), and by entry \(sequence),")
        + " than the reactor had: reduce makes different states of the same mutations"
    case .outside(let key, let sequence, let first, let last):
      "there is no state at \(sequence) of \(key); its history has \(first) to \(last)"
    case .storeFailed(let key, let cause):
      "the store of \(key) failed: \(ReportText.text(ofError: cause))"
    case .ended(let key): "\(key) ended before its mutations were kept"
    case .alreadyStarted(let key):
      "\(key) was given a reactor that has begun already; make a new one to open"
    case .nothingKept(let key): "there is no journal of \(key)"
    case .occupied(let key):
      "there is a journal of \(key) already, be it empty: give another identifier, or set that one "
        + "aside first"
    case .notMovable(let key): "the store of \(key) gives no journal another identifier"
    case .invalid(let key):
      "no journal can be called \(key.name.debugDescription) \(key.id.debugDescription): take the "
        + "NUL out of its name or identifier"
    case .unusable(let path, let cause):
      "the journal in '\(path)' cannot be used: \(ReportText.text(ofError: cause))"
    }
  }
}

extension JournalError: ErrorWithKind {
  package var kindOfError: ErrorKind? {
    switch self {
    case .invalid: .invalid
    case .storeFailed, .fenced, .ended: .ended
    default: nil
    }
  }
}

extension JournalError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}
