import Foundation

/// What can be done to the tasks; each is one step of undo.
enum TaskChange: Equatable, Sendable {
  /// A new task at the end of its section; the section is made if it is new.
  case add(TaskDraft)
  case edit(TaskItem.ID, [TaskEdit])
  case setDone([TaskItem.ID], Bool)
  case delete([TaskItem.ID])
  /// To the row of another task, in the list of all tasks.
  ///
  /// It joins the other's section: above the other if it comes from below, below the other if it
  /// comes from above. Those in between close up.
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
  /// The name of its section, whatever the case of its letters.
  var section = TaskSection.standardName
  var isDone = false
  /// `nil` for now.
  var createdAt: Date?
  /// Of a task that is done; `nil` for now.
  var completedAt: Date?
}

/// One field of a task, changed; the others stay as they are.
enum TaskEdit: Equatable, Sendable {
  case title(String)
  /// `nil`, or only blanks, for none.
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
  /// Whether anything is different now; if not, there is no step to undo.
  var isChange = true
  /// The ids of the tasks it was about, deleted ones as well, up to 100.
  var ids: [TaskItem.ID] = []
}

/// How far a long change has come.
struct TaskProgress: Equatable, Sendable {
  var done: Int
  var total: Int
}

extension TaskDraft {
  /// Tasks to try things out with.
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
