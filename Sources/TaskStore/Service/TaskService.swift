public import Reactor

/// Owns the truth about the tasks, and tells everybody what has changed.
///
/// Each call is one transaction: it happens as a whole or, when it throws, not at all. What is
/// given back is what the database holds at that moment.
public protocol TaskService: Sendable {
  /// What changes from now on, whoever changes it: this program or another one.
  func events() -> EventStream<TaskEvent>

  /// Makes a change, as one step of undo.
  ///
  /// `progress` is told how far a long one has come, on some other thread; it should be quick.
  func perform(
    _ change: TaskChange, progress: @escaping @Sendable (TaskProgress) -> Void
  ) async throws(TaskError) -> TaskOutcome

  /// Takes the last step back, or makes it again; `nil` when there is no such step.
  func undo() async throws(TaskError) -> TaskOutcome?
  func redo() async throws(TaskError) -> TaskOutcome?

  /// Rows of a list, from `offset` (from 0), at most `limit`.
  func page(_ query: TaskQuery, from offset: Int, limit: Int) async throws(TaskError) -> TaskPage

  /// A whole list, page after page, as it is at one moment, however long it is.
  ///
  /// There is at least one page, perhaps an empty one. `update` begins with `initial` and adds a
  /// page to it; it runs on some other thread, which it may block, for instance to print.
  func pages<Result: Sendable>(
    of query: TaskQuery, size: Int, into initial: Result,
    _ update: @escaping @Sendable (inout Result, TaskPage) throws(TaskError) -> Void
  ) async throws(TaskError) -> Result

  /// A task; `nil` when it does not exist (any more).
  func task(_ id: TaskItem.ID) async throws(TaskError) -> TaskItem?

  /// The row of a task in a list, from 0; `nil` when the list does not have it.
  func row(of id: TaskItem.ID, in query: TaskQuery) async throws(TaskError) -> Int?

  /// The first tasks of a list whose title begins with a text, whatever the case of its letters.
  func tasks(
    titled prefix: String, in query: TaskQuery, limit: Int
  ) async throws(TaskError) -> [TaskItem]

  /// Every section, in order, with its counts.
  func sections() async throws(TaskError) -> [TaskSection]
}

extension TaskService {
  /// Makes a change, as one step of undo.
  public func perform(_ change: TaskChange) async throws(TaskError) -> TaskOutcome {
    try await perform(change) { _ in }
  }

  /// The task in a row of a list, from 0; `nil` when the list is shorter.
  public func task(at row: Int, in query: TaskQuery) async throws(TaskError) -> TaskItem? {
    try await page(query, from: row, limit: 1).tasks.first
  }
}

/// What has changed.
public struct TaskEvent: Equatable, Sendable {
  /// What kind of change it was.
  public enum Kind: Equatable, Sendable {
    /// A new one, or one that is back, at its position.
    case created(TaskItem)
    /// Title, memo or done; the place is the same.
    case updated([TaskItem])
    case deleted([TaskItem.ID])
    case moved(TaskItem.ID)
    /// Much at once, or by another program: look again.
    case changed
  }

  /// What kind of change it was.
  public var kind: Kind
  /// The state of the database after it.
  public var revision: Int64
}
