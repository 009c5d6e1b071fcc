/// Why something was not done: what was wrong and how to correct it, in one line.
struct TaskError: Error, Equatable, CustomStringConvertible {
  enum Kind: Equatable, Sendable {
    /// The request was invalid; the database is intact.
    case refused
    /// The database, or a file, could not be read or written.
    case storage
    /// The requesting task was cancelled; nothing has changed.
    case cancelled
  }

  var kind: Kind
  var description: String

  static func refused(_ description: String) -> TaskError {
    TaskError(kind: .refused, description: description)
  }

  static func storage(_ description: String) -> TaskError {
    TaskError(kind: .storage, description: description)
  }

  /// The task was deleted after it was looked up.
  static let taskIsGone = refused("that task is gone; look at the list again")

  static let cancelled = TaskError(kind: .cancelled, description: "cancelled; nothing has changed")
}
