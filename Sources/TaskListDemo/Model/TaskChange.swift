/// What can be done to the tasks; each is one step of undo.
enum TaskChange: Equatable, Sendable {
  /// A new task at the end of its section; the section is made if it is new.
  case add(TaskDraft)
  case edit(TaskItem.ID, [TaskEdit])
  case setDone([TaskItem.ID], Bool)
  case delete([TaskItem.ID])
  /// To the place of another task, which makes room: upwards if the task comes from below, downwards
  /// if it comes from above. It joins the other's section.
  case move(TaskItem.ID, to: TaskItem.ID)
  /// Deletes what is done, in one section or everywhere.
  case clearDone(TaskSection.ID?)
  /// Adds tasks at the end of their sections: all of them, or none.
  case addAll([TaskDraft])
}

/// A task that is not stored yet.
struct TaskDraft: Equatable, Sendable {
  var title: String
  var memo: String?
  var section: String
  var isDone = false
}

/// One field of a task, changed; the others stay as they are.
enum TaskEdit: Equatable, Sendable {
  case title(String)
  case memo(String?)
}

/// What a change has done.
struct TaskOutcome: Equatable, Sendable {
  /// For a person: `added "Buy milk"`, `deleted 3 tasks`.
  var summary: String
  /// The state of the database after it.
  var revision: Int64
  /// The tasks it was about and that still exist, up to 100.
  var tasks: [TaskItem]
}
