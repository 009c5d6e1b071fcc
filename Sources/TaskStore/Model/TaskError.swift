/// Why something was not done: what was wrong, and what would do, in one line.
public struct TaskError: Error, Equatable, CustomStringConvertible {
  /// What kind of reason it is.
  public enum Kind: Equatable, Sendable {
    /// The wish makes no sense; the database is all right.
    case refused
    /// The database, or a file, could not be read or written.
    case storage
    /// Whoever asked has left; nothing has changed.
    case cancelled
  }

  /// What kind of reason it is.
  public var kind: Kind
  /// The line.
  public var description: String

  /// A wish that makes no sense.
  public static func refused(_ description: String) -> TaskError {
    TaskError(kind: .refused, description: description)
  }

  /// A database, or a file, that could not be read or written.
  public static func storage(_ description: String) -> TaskError {
    TaskError(kind: .storage, description: description)
  }

  /// Somebody has deleted it since it was looked up.
  public static let taskIsGone = refused("that task is gone; look at the list again")

  /// The caller was cancelled.
  public static let cancelled = TaskError(
    kind: .cancelled, description: "cancelled; nothing has changed")
}
