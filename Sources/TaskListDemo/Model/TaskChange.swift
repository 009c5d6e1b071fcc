import Foundation

/// A change of the tasks; each is one step of undo.
enum TaskChange: Equatable, Sendable {
  /// Adds a task at the end of its section; creates the section if it is new.
  case add(TaskDraft)
  case edit(TaskItem.ID, [TaskEdit])
  case setDone([TaskItem.ID], Bool)
  case delete([TaskItem.ID])
  /// Moves a task to the row of another task, in the list of all tasks.
  ///
  /// It joins the other's section: above the other if it is moved up, below the other if it is
  /// moved down. The positions of the tasks in between are shifted.
  case move(TaskItem.ID, to: TaskItem.ID)
  /// Deletes the done tasks of one section, or of all.
  case clearDone(TaskSection.ID?)
  /// Adds tasks at the end of their sections: all of them, or none.
  case addAll([TaskDraft])
}

/// A task that is not stored yet.
struct TaskDraft: Equatable, Sendable {
  var title: String
  var memo: String?
  /// The name of its section, ignoring case.
  var section = TaskSection.standardName
  var isDone = false
  /// `nil` for the current time.
  var createdAt: Date?
  /// For a task that is done; `nil` for the current time.
  var completedAt: Date?
}

/// A change of one field of a task.
enum TaskEdit: Equatable, Sendable {
  case title(String)
  /// `nil`, or blank, for no memo.
  case memo(String?)
}

/// The result of a change.
struct TaskOutcome: Equatable, Sendable {
  /// A summary for the user: `added "Buy milk"`, `deleted 3 tasks`.
  var summary: String
  /// The revision of the database after the change.
  var revision: Int64
  /// The tasks that it concerns and that still exist, up to 100.
  var tasks: [TaskItem]
  /// Whether anything has changed; if not, there is no step to undo.
  var isChange = true
  /// The ids of the tasks that it concerns, including deleted ones, up to 100.
  var ids: [TaskItem.ID] = []
}

/// The progress of a long change.
struct TaskProgress: Equatable, Sendable {
  var done: Int
  var total: Int
}

extension TaskDraft {
  /// Sample tasks.
  static let sample: [TaskDraft] = [
    TaskDraft(title: "Buy milk", memo: "two litres, oat", section: "Home"),
    TaskDraft(title: "Water the plants", section: "Home", isDone: true),
    TaskDraft(title: "Call Bob", memo: "about the weekend", section: "Home"),
    TaskDraft(title: "Write the report", section: "Work"),
    TaskDraft(title: "Answer 田中さん", memo: "by Friday", section: "Work"),
    TaskDraft(title: "Book the train ✈️ no, 🚆", section: "Work", isDone: true),
    TaskDraft(title: "Read a chapter", section: "Some day"),
  ]
}
