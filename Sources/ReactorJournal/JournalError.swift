public import Foundation
package import Reactor

/// An error of a journal.
///
/// Its `description` names the reactor, the identifier, and the place in the journal.
public enum JournalError: Error, Sendable, CustomStringConvertible {
  /// The journal is already open, in this process or another one.
  case alreadyOpen(JournalKey)
  /// Another owner has taken over the journal, so writes with this epoch are refused.
  case fenced(JournalKey, epoch: Int)
  /// The journal does not end at the entry that the writer expected.
  case outOfOrder(JournalKey, expected: Int, last: Int)
  /// An entry is missing.
  case missing(JournalKey, sequence: Int)
  /// The entries through this one have been deleted, so no state before that can be restored, and
  /// no change before it can be undone.
  case deleted(JournalKey, through: Int)
  /// Other changes arrive faster than the history can be read; nothing has been done.
  case busy(JournalKey)
  /// A stored entry differs from what was written; the sequence is 0 if it is not known which
  /// entry.
  case corrupt(JournalKey, sequence: Int)
  /// A stored mutation cannot be decoded; its bytes are not changed.
  case undecodable(JournalKey, sequence: Int, version: Int, cause: any Error)
  /// A mutation cannot be encoded.
  case unencodable(JournalKey, sequence: Int, cause: any Error)
  /// A snapshot cannot be decoded.
  case undecodableSnapshot(JournalKey, sequence: Int, version: Int, cause: any Error)
  /// A replay led to another state than the reactor had.
  ///
  /// The difference arose after the entry `after`, the last one whose hash matched, and at the
  /// entry `sequence` or before it.
  case diverged(JournalKey, sequence: Int, after: Int)
  /// The history has no state at this place.
  case outside(JournalKey, sequence: Int, first: Int, last: Int)
  /// The store failed, and it is not certain what has been stored.
  case storeFailed(JournalKey, cause: any Error)
  /// A commit to the file has been under way since this date; all reactors of the store wait for
  /// it. It is reported, and not thrown.
  case stalled(String, since: Date)
  /// The reactor ended before its mutations were durable.
  case ended(JournalKey)
  /// The reactor that was passed has already taken actions or been opened.
  case alreadyStarted(JournalKey)
  /// There is no journal with this identifier.
  case noJournal(JournalKey)
  /// There is already a journal with this identifier; it may be empty.
  case occupied(JournalKey)
  /// The store cannot move a journal to another identifier.
  case notMovable(JournalKey)
  /// The name or the identifier contains a NUL.
  case invalid(JournalKey)
  /// The file cannot be used.
  case unusable(String, cause: any Error)

  /// A description for reports.
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
    case .stalled(let path, let date):
      "a commit to '\(path)' has been under way since \(date.formatted(.iso8601)): what its "
        + "reactors do is shown when it has ended"
    case .ended(let key): "\(key) ended before its mutations were kept"
    case .alreadyStarted(let key):
      "\(key) was given a reactor that has begun already; make a new one to open"
    case .noJournal(let key): "there is no journal of \(key)"
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
