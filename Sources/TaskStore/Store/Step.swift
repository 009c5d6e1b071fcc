import GRDB

/// Something that was done, so that it can be taken back and made again.
///
/// The tasks it was about are kept beside it (see ``StepImages``), and only those: the others that
/// have made room, or closed up, are not.
struct Step: FetchableRecord {
  enum Kind: String {
    /// Tasks that are there only after it, and perhaps sections.
    case add
    /// Tasks that are there only before it.
    case delete
    /// Tasks that are different before and after, at the same place.
    case update
    /// A task at another place.
    case move
  }

  /// From 1; the next change takes the number of the first one that was taken back.
  let id: Int64
  var kind: Kind
  var summary: String
  /// The revision that it last led to, made or taken back; 0 before it has led to any.
  var revision: Int64 = 0

  /// How many can be taken back.
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

  /// Its tasks as they were before it, or as they were after it.
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
  /// The columns of a task, as a step keeps them.
  private static let columns =
    "id, sectionID, position, title, titleKey, memo, createdAt, completedAt"

  // MARK: Keeping tasks beside a step

  /// Keeps a task as it is now.
  func keep(_ id: TaskItem.ID, in images: StepImages) throws {
    try keep("id = ?", [id], in: images)
  }

  /// Keeps some tasks as they are now.
  func keep(_ condition: String, _ arguments: StatementArguments, in images: StepImages) throws {
    try run(
      """
      INSERT INTO stepTasks (stepID, isAfter, \(Self.columns))
        SELECT ?, ?, \(Self.columns) FROM tasks WHERE \(condition)
      """, images.arguments + arguments)
  }

  // MARK: Making tasks what is kept

  /// Takes the tasks away; those behind them close up.
  func remove(_ images: StepImages) throws {
    try run(
      """
      DELETE FROM tasks
        WHERE id IN (SELECT id FROM stepTasks WHERE stepID = ? AND isAfter = ?)
      """, images.arguments)
    try closeGaps(of: images)
  }

  /// Puts the tasks where they were; the others make room.
  func insert(_ images: StepImages) throws {
    try openGaps(of: images)
    try run(
      """
      INSERT INTO tasks (\(Self.columns))
        SELECT \(Self.columns) FROM stepTasks WHERE stepID = ? AND isAfter = ?
      """, images.arguments)
  }

  /// Makes the tasks what they were, each at its place.
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

  /// Takes the one task to the place where it was.
  func replace(_ images: StepImages) throws {
    let place = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT id, sectionID, position FROM stepTasks WHERE stepID = ? AND isAfter = ?"),
      arguments: images.arguments)
    guard let place else { return }
    try self.place(place[0], in: place[1], at: place.count(atIndex: 2))
  }

  // MARK: Sections that a step has made

  /// Keeps a section that the step has made.
  func keep(section: TaskSection.ID, in step: Int64) throws {
    try run(
      """
      INSERT INTO stepSections SELECT ?, id, name, nameKey, position FROM sections WHERE id = ?
      """, [step, section])
  }

  /// Takes the sections of a step away: they are the last ones, and empty.
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

/// What a step has done: for whoever asked for it, and for everybody else.
struct StepReport: Sendable {
  enum Direction {
    case forward, back
  }

  var outcome: TaskOutcome
  /// `nil` when nothing is different.
  var event: TaskEvent.Kind?
  /// The number of the step; `nil` when there is none.
  var step: Int64?

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
  /// The tasks of a step, wherever it keeps them.
  fileprivate func ids(of step: Step, limit: Int) throws -> [TaskItem.ID] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM stepTasks WHERE stepID = ? AND isAfter = ? ORDER BY id LIMIT ?"),
      arguments: step.images(isAfter: step.kind != .delete).arguments + [limit])
  }
}
