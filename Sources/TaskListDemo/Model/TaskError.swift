/// Why something was not done: what was wrong, and what would do, in one line.
struct TaskError: Error, Equatable, CustomStringConvertible {
  enum Kind: Equatable, Sendable {
    /// The wish makes no sense; the database is all right.
    case refused
    /// The database, or a file, could not be read or written.
    case storage
    /// Whoever asked has left; nothing has changed.
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

  /// Somebody has deleted it since it was looked up.
  static let taskIsGone = refused("that task is gone; look at the list again")

  static let cancelled = TaskError(kind: .cancelled, description: "cancelled; nothing has changed")
}
