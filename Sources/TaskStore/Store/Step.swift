import GRDB

/// A change that can be undone and redone.
///
/// The tasks that it concerns are stored with it (see ``StepImages``), but not those whose
/// positions were only shifted.
struct Step: FetchableRecord {
  enum Kind: String {
    /// Tasks that exist only after it, and possibly sections.
    case add
    /// Tasks that exist only before it.
    case delete
    /// Tasks that differ before and after it, at the same position.
    case update
    /// A task at another position.
    case move
  }

  /// From 1; the next change takes the number of the first undone step.
  let id: Int64
  var kind: Kind
  var summary: String
  /// The last revision that it resulted in, by being made, undone or redone; 0 before that.
  var revision: Int64 = 0

  /// How many steps can be undone.
  static let limit: Int64 = 100
}

extension Step {
  init(row: Row) throws {
    id = try Stored.counts.number(row.decode(atIndex: 0))
    guard let kind = Kind(rawValue: try row.decode(atIndex: 1)) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a step of an unknown kind")
    }
    self.kind = kind
    summary = try row.decode(atIndex: 2)
    revision = try Stored.counts.number(row.decode(atIndex: 3))
  }

  /// Its tasks as they were before it, or after it.
  func images(isAfter: Bool) -> StepImages { StepImages(stepID: id, isAfter: isAfter) }
}

/// The tasks of a step as they are on one side of it.
struct StepImages {
  let stepID: Int64
  let isAfter: Bool

  /// For `stepID = ? AND isAfter = ?`.
  var arguments: StatementArguments { [stepID, isAfter] }
}

extension TaskStore {
  /// The columns of a task that a step stores.
  private static let columns =
    "id, sectionID, position, title, titleKey, memo, createdAt, completedAt"

  // MARK: Storing tasks with a step

  /// Stores a task as it is now.
  func keep(_ id: TaskItem.ID, in images: StepImages) throws {
    try keep("id = ?", [id], in: images)
  }

  /// Stores some tasks as they are now.
  func keep(_ condition: String, _ arguments: StatementArguments, in images: StepImages) throws {
    try run(
      """
      INSERT INTO stepTasks (stepID, isAfter, \(Self.columns))
        SELECT ?, ?, \(Self.columns) FROM tasks WHERE \(condition)
      """, images.arguments + arguments)
  }

  // MARK: Restoring stored tasks

  /// Deletes the tasks, and shifts those behind them.
  func remove(_ images: StepImages) throws {
    try run(
      """
      DELETE FROM tasks
        WHERE id IN (SELECT id FROM stepTasks WHERE stepID = ? AND isAfter = ?)
      """, images.arguments)
    try closeGaps(of: images)
  }

  /// Inserts the tasks at their positions, and shifts the others.
  func insert(_ images: StepImages) throws {
    try openGaps(of: images)
    try run(
      """
      INSERT INTO tasks (\(Self.columns))
        SELECT \(Self.columns) FROM stepTasks WHERE stepID = ? AND isAfter = ?
      """, images.arguments)
  }

  /// Restores the fields of the tasks at their positions.
  func rewrite(_ images: StepImages) throws {
    let kept = "FROM stepTasks AS kept WHERE stepID = ? AND isAfter = ? AND kept.id = tasks.id"
    try run(
      """
      UPDATE tasks SET completedAt = kept.completedAt \(kept)
        AND tasks.completedAt IS NOT kept.completedAt
      """, images.arguments)
    try run(
      """
      UPDATE tasks SET title = kept.title, titleKey = kept.titleKey, memo = kept.memo \(kept)
        AND (tasks.title IS NOT kept.title OR tasks.memo IS NOT kept.memo)
      """, images.arguments)
  }

  /// Moves the one task to its stored position.
  func replace(_ images: StepImages) throws {
    let place = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT id, sectionID, position FROM stepTasks WHERE stepID = ? AND isAfter = ?"),
      arguments: images.arguments)
    guard let place else { return }
    try self.place(place[0], in: place[1], at: place.count(atIndex: 2))
  }

  // MARK: Sections created by a step

  /// Stores a section that the step has created.
  func keep(section: TaskSection.ID, in step: Int64) throws {
    try run(
      """
      INSERT INTO stepSections SELECT ?, id, name, nameKey, position FROM sections WHERE id = ?
      """, [step, section])
  }

  /// Deletes the sections of a step: they are the last ones, and empty.
  func removeSections(of step: Int64) throws {
    try run(
      "DELETE FROM sections WHERE id IN (SELECT id FROM stepSections WHERE stepID = ?)", [step])
  }

  func insertSections(of step: Int64) throws {
    try run(
      """
      INSERT INTO sections (id, name, nameKey, position)
        SELECT id, name, nameKey, position FROM stepSections WHERE stepID = ?
      """, [step])
  }
}

/// The result of a step: an outcome for the caller, and an event for all screens.
struct StepReport: Sendable {
  enum Direction {
    case forward, back
  }

  var outcome: TaskOutcome
  /// `nil` if nothing has changed.
  var event: TaskEvent.Kind?
  /// The number of the step; `nil` if there is none.
  var step: Int64?

  /// How many tasks a report names.
  private static let limit = 100
}

extension StepReport {
  /// Nothing was done, since everything was already as requested.
  static func nothing(
    _ summary: String, _ ids: [TaskItem.ID], _ store: TaskStore
  ) throws -> StepReport {
    let tasks = try ids.prefix(limit).compactMap(store.task)
    let outcome = TaskOutcome(
      summary: summary, revision: try store.revision, tasks: tasks, isChange: false,
      ids: Array(ids.prefix(limit)))
    return StepReport(outcome: outcome, event: nil)
  }

  /// The result of a step that was just made, undone or redone.
  init(
    of step: Step, _ direction: Direction, summary: String, _ store: TaskStore
  ) throws {
    // One more than is named, to detect whether there are more.
    let ids = try store.ids(of: step, limit: Self.limit + 1)
    self.step = step.id
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
  /// The tasks of a step, from the side on which they exist.
  fileprivate func ids(of step: Step, limit: Int) throws -> [TaskItem.ID] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM stepTasks WHERE stepID = ? AND isAfter = ? ORDER BY id LIMIT ?"),
      arguments: step.images(isAfter: step.kind != .delete).arguments + [limit])
  }
}
