import Reactor

/// Owns the truth about the tasks, and tells everybody what has changed.
///
/// Each call is one transaction: it happens as a whole or, when it throws, not at all. What is given
/// back is what the database holds at that moment.
protocol TaskService: Sendable {
  /// What changes from now on, whoever changes it: this program or another one.
  func events() -> EventStream<TaskEvent>

  /// Makes a change, as one step of undo.
  func perform(_ change: TaskChange) async throws(TaskError) -> TaskOutcome

  /// Takes the last step back, or makes it again.
  ///
  /// - Returns: What that did; `nil` when there is no such step.
  func undo() async throws(TaskError) -> TaskOutcome?
  func redo() async throws(TaskError) -> TaskOutcome?

  /// Rows of a list, from `offset` (from 0), at most `limit`.
  func page(_ query: TaskQuery, from offset: Int, limit: Int) async throws(TaskError) -> TaskPage

  /// A task; `nil` when it does not exist (any more).
  func task(_ id: TaskItem.ID) async throws(TaskError) -> TaskItem?

  /// The first tasks of a list whose title begins with a text, whatever the case of its letters.
  func tasks(
    titled prefix: String, in query: TaskQuery, limit: Int
  ) async throws(TaskError) -> [TaskItem]

  /// Every section, in order, with its counts.
  func sections() async throws(TaskError) -> [TaskSection]
}

/// What has changed.
struct TaskEvent: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case created(TaskItem)
    /// Title, memo or done; the place is the same.
    case updated([TaskItem])
    case deleted([TaskItem.ID])
    case moved(TaskItem.ID)
    /// Much at once, or by another program: look again.
    case changed
  }

  var kind: Kind
  /// The state of the database after it.
  var revision: Int64
}

/// Why something was not done: what was wrong, and what would do, in one line.
struct TaskError: Error, Equatable, CustomStringConvertible {
  enum Kind: Equatable, Sendable {
    /// The wish makes no sense; the database is all right.
    case refused
    /// The database could not be read or written.
    case storage
  }

  var kind: Kind
  var description: String
}
