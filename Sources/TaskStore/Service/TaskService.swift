public import Reactor

/// Stores the tasks, and notifies all screens of changes.
///
/// Each call is one transaction: it is applied as a whole or, if it throws, not at all. What it
/// returns is the state of the database at that moment.
public protocol TaskService: Sendable {
  /// The changes from now on, by this program and by others.
  func events() -> EventStream<TaskEvent>

  /// Makes a change, as one step of undo.
  ///
  /// `progress` receives the progress of a long change, on another thread; it should be fast.
  func perform(
    _ change: TaskChange, progress: @escaping @Sendable (TaskProgress) -> Void
  ) async throws(TaskError) -> TaskOutcome

  /// Undoes or redoes the last step; `nil` if there is none.
  func undo() async throws(TaskError) -> TaskOutcome?
  func redo() async throws(TaskError) -> TaskOutcome?

  /// Returns rows of a list, from `offset` (from 0), at most `limit`.
  func page(_ query: TaskQuery, from offset: Int, limit: Int) async throws(TaskError) -> TaskPage

  /// Reads a whole list, page after page, as it is at one moment, however long it is.
  ///
  /// There is at least one page, which may be empty. `update` is called for each page with the
  /// result so far, beginning with `initial`. It runs on another thread, which it may block, for
  /// example to print.
  func pages<Result: Sendable>(
    of query: TaskQuery, size: Int, into initial: Result,
    _ update: @escaping @Sendable (inout Result, TaskPage) throws(TaskError) -> Void
  ) async throws(TaskError) -> Result

  /// Returns a task; `nil` if it does not exist, or no longer.
  func task(_ id: TaskItem.ID) async throws(TaskError) -> TaskItem?

  /// Returns the row of a task in a list, from 0; `nil` if the list does not have it.
  func row(of id: TaskItem.ID, in query: TaskQuery) async throws(TaskError) -> Int?

  /// Returns the first tasks of a list whose title begins with a text, ignoring case.
  func tasks(
    titled prefix: String, in query: TaskQuery, limit: Int
  ) async throws(TaskError) -> [TaskItem]

  /// Returns every section, in order, with its counts.
  func sections() async throws(TaskError) -> [TaskSection]
}

extension TaskService {
  /// Makes a change, as one step of undo.
  public func perform(_ change: TaskChange) async throws(TaskError) -> TaskOutcome {
    try await perform(change) { _ in }
  }

  /// Returns the task in a row of a list, from 0; `nil` if the list is shorter.
  public func task(at row: Int, in query: TaskQuery) async throws(TaskError) -> TaskItem? {
    try await page(query, from: row, limit: 1).tasks.first
  }
}

/// A change of the tasks.
public struct TaskEvent: Equatable, Sendable {
  /// The kind of a change.
  public enum Kind: Equatable, Sendable {
    /// A task that was added, or restored, at its position.
    case created(TaskItem)
    /// Title, memo or completion; the position is the same.
    case updated([TaskItem])
    case deleted([TaskItem.ID])
    case moved(TaskItem.ID)
    /// Many changes at once, or changes by another program: read again.
    case changed
  }

  /// The kind of the change.
  public var kind: Kind
  /// The revision of the database after the change.
  public var revision: Int64
}
