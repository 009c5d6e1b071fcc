/// Why something was not done: what was wrong and how to correct it, in one line.
public struct TaskError: Error, Equatable, CustomStringConvertible {
  /// The kind of an error.
  public enum Kind: Equatable, Sendable {
    /// The request was invalid; the database is intact.
    case refused
    /// The database, or a file, could not be read or written.
    case storage
    /// The requesting task was cancelled; nothing has changed.
    case cancelled
  }

  /// The kind of the error.
  public var kind: Kind
  /// The line for the user.
  public var description: String

  /// Creates an error for a request that is invalid.
  public static func refused(_ description: String) -> TaskError {
    TaskError(kind: .refused, description: description)
  }

  /// Creates an error for a database, or a file, that could not be read or written.
  public static func storage(_ description: String) -> TaskError {
    TaskError(kind: .storage, description: description)
  }

  /// The task was deleted after it was looked up.
  public static let taskNotFound = refused("that task is gone; look at the list again")

  /// The requesting task was cancelled.
  public static let cancelled = TaskError(
    kind: .cancelled, description: "cancelled; nothing has changed")
}
