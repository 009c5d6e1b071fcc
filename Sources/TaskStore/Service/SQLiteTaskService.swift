public import Foundation
import GRDB
public import Reactor

/// The tasks in an SQLite database.
///
/// Each change is read, made and written in one transaction, which excludes all other writers. Its
/// event is sent after it is on the disk, and before the event of the next change.
public final class SQLiteTaskService: TaskService {
  let database: TaskDatabase
  private let broadcaster = EventBroadcaster<TaskEvent>()
  private let externalChanges: ExternalChanges?
  private let own: UndoableSteps
  private let now: @Sendable () -> Date

  /// Opens the database, and creates it if it does not exist.
  ///
  /// `clock` measures the intervals at which changes by other programs are checked; `now` returns
  /// the time at which a task is added or done.
  public init(
    _ location: DatabaseLocation, options: DatabaseOptions = DatabaseOptions(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = Date.init
  ) throws(TaskError) {
    database = try TaskDatabase(location, options: options)
    self.now = now
    // If it cannot be read, the change that needs it reports the error.
    own = UndoableSteps(since: database.revision ?? .max)
    externalChanges =
      location == .inMemory
      ? nil : ExternalChanges(database: database, broadcaster: broadcaster, clock: clock)
  }

  deinit { end() }

  /// Ends the events and closes the database, after the work in progress.
  ///
  /// Without it, the database is closed with its last use, which is too late when a program ends.
  public func close() {
    end()
    database.close()
  }

  private func end() {
    externalChanges?.stop()
    broadcaster.finish()
  }

  /// The changes from now on, by this program and by others.
  public func events() -> EventStream<TaskEvent> {
    let events = broadcaster.stream()
    externalChanges?.start()
    return events
  }

  // MARK: Changes

  /// Makes a change, as one step of undo.
  public func perform(
    _ change: TaskChange, progress: @escaping @Sendable (TaskProgress) -> Void
  ) async throws(TaskError) -> TaskOutcome {
    let now = now().milliseconds
    return try await write { store in
      let step = try store.beginStep()
      let changing = TaskChanging(store: store, step: step, now: now, progress: progress)
      switch try changing.make(change) {
      case .nothing(let summary, let ids): return try .nothing(summary, ids, store)
      case .step(let step):
        try store.end(step)
        return try StepReport(of: step, .forward, summary: step.summary, store)
      }
    }
  }

  /// Undoes the last step.
  public func undo() async throws(TaskError) -> TaskOutcome? {
    try await write { store in
      let step = try store.undo { step in
        guard own.contains(step) else { throw TaskError.otherChange(step) }
      }
      guard let step else { return nil }
      return try StepReport(of: step, .back, summary: "undone: \(step.summary)", store)
    }
  }

  /// Redoes the step that was undone last.
  public func redo() async throws(TaskError) -> TaskOutcome? {
    try await write { store in
      let step = try store.redo { step in
        guard own.contains(step) else { throw TaskError.otherUndo(step) }
      }
      guard let step else { return nil }
      return try StepReport(of: step, .forward, summary: "redone: \(step.summary)", store)
    }
  }

  /// Makes a step, and sends its event when it is on the disk.
  ///
  /// The event is sent on the queue of the writing connection, so that events have the order of the
  /// steps.
  private func write(
    _ body: @Sendable (TaskStore) throws -> StepReport
  ) async throws(TaskError) -> TaskOutcome {
    // A separate function for changes that always result in a report.
    let outcome = try await write { store -> StepReport? in try body(store) }
    guard let outcome else { preconditionFailure("a report was given") }
    return outcome
  }

  private func write(
    _ body: @Sendable (TaskStore) throws -> StepReport?
  ) async throws(TaskError) -> TaskOutcome? {
    try await database.work { store in
      let report = try store.transaction(.immediate) { store in
        try externalChanges?.check(store)
        return try body(store)
      } keepingIf: {
        $0?.event != nil
      }
      guard let report else { return nil }
      if let step = report.step { own.note(step, report.outcome.revision) }
      if let event = report.event {
        broadcaster.send(TaskEvent(kind: event, revision: report.outcome.revision))
      }
      return report.outcome
    }
  }

  // MARK: Reading

  /// Returns consecutive rows of a list.
  public func page(
    _ query: TaskQuery, from offset: Int, limit: Int
  ) async throws(TaskError) -> TaskPage {
    try await database.read { try $0.page(query, from: offset, limit: limit) }
  }

  /// Reads a whole list, page after page.
  public func pages<Result: Sendable>(
    of query: TaskQuery, size: Int, into initial: Result,
    _ update: @escaping @Sendable (inout Result, TaskPage) throws(TaskError) -> Void
  ) async throws(TaskError) -> Result {
    try await database.read { store in
      var result = initial
      try store.forEachPage(of: query, size: size) { try update(&result, $0) }
      return result
    }
  }

  /// Returns a task.
  public func task(_ id: TaskItem.ID) async throws(TaskError) -> TaskItem? {
    try await database.read { try $0.task(id) }
  }

  /// Returns the row of a task in a list.
  public func row(of id: TaskItem.ID, in query: TaskQuery) async throws(TaskError) -> Int? {
    try await database.read { try $0.row(of: id, in: query) }
  }

  /// Returns tasks whose title begins with a text.
  public func tasks(
    titled prefix: String, in query: TaskQuery, limit: Int
  ) async throws(TaskError) -> [TaskItem] {
    try await database.read { try $0.tasks(titled: prefix, in: query, limit: limit) }
  }

  /// Returns every section, in order.
  public func sections() async throws(TaskError) -> [TaskSection] {
    try await database.read { try $0.sections() }
  }
}
