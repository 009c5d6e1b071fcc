import GRDB

/// What a step has done: for whoever asked for it, and for everybody else.
struct StepReport: Sendable {
  enum Direction {
    case forward, back
  }

  var outcome: TaskOutcome
  /// `nil` when nothing is different.
  var event: TaskEvent.Kind?

  /// How many tasks a report names.
  private static let limit = 100
}

extension StepReport {
  /// Nothing was done, since everything was so already.
  static func nothing(
    _ summary: String, _ ids: [TaskItem.ID], _ store: TaskStore
  ) throws -> StepReport {
    let tasks = try ids.prefix(limit).compactMap(store.task)
    let outcome = TaskOutcome(
      summary: summary, revision: try store.revision, tasks: tasks, isChange: false,
      ids: Array(ids.prefix(limit)))
    return StepReport(outcome: outcome, event: nil)
  }

  /// What a step has done that was made just now, or taken back.
  init(
    of step: Step, _ direction: Direction, summary: String, _ store: TaskStore
  ) throws {
    // One more than is named, to see whether there are more.
    let ids = try store.ids(of: step, limit: Self.limit + 1)
    let tasks = try ids.prefix(Self.limit).compactMap(store.task)
    outcome = TaskOutcome(
      summary: summary, revision: try store.revision, tasks: tasks,
      ids: Array(ids.prefix(Self.limit)))
    event =
      switch (step.kind, direction) {
      case _ where ids.count > Self.limit: .changed
      case (.add, .forward), (.delete, .back): tasks.count == 1 ? .created(tasks[0]) : .changed
      case (.add, .back), (.delete, .forward): .deleted(ids)
      case (.update, _): .updated(tasks)
      case (.move, _): ids.first.map(TaskEvent.Kind.moved) ?? .changed
      }
  }
}

extension TaskStore {
  /// The tasks of a step, wherever it keeps them.
  fileprivate func ids(of step: Step, limit: Int) throws -> [TaskItem.ID] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM stepTasks WHERE stepID = ? AND isAfter = ? ORDER BY id LIMIT ?"),
      arguments: step.images(isAfter: step.kind != .delete).arguments + [limit])
  }
}
