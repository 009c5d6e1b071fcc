public import Foundation

/// A change of the tasks; each is one step of undo.
public enum TaskChange: Equatable, Sendable {
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
public struct TaskDraft: Equatable, Sendable {
  /// The title as the user typed it.
  public var title: String
  /// Text in addition to the title.
  public var memo: String?
  /// The name of its section, ignoring case.
  public var section = TaskSection.standardName
  /// Whether the task is done.
  public var isDone = false
  /// `nil` for the current time.
  public var createdAt: Date?
  /// For a task that is done; `nil` for the current time.
  public var completedAt: Date?

  /// Creates a draft; by default, the task is open.
  public init(
    title: String, memo: String? = nil, section: String = TaskSection.standardName,
    isDone: Bool = false, createdAt: Date? = nil, completedAt: Date? = nil
  ) {
    (self.title, self.memo, self.section) = (title, memo, section)
    (self.isDone, self.createdAt, self.completedAt) = (isDone, createdAt, completedAt)
  }
}

/// A change of one field of a task.
public enum TaskEdit: Equatable, Sendable {
  case title(String)
  /// `nil`, or blank, for no memo.
  case memo(String?)
}

/// The result of a change.
public struct TaskOutcome: Equatable, Sendable {
  /// A summary for the user: `added "Buy milk"`, `deleted 3 tasks`.
  public var summary: String
  /// The revision of the database after the change.
  public var revision: Int64
  /// The tasks that it concerns and that still exist, up to 100.
  public var tasks: [TaskItem]
  /// Whether anything has changed; if not, there is no step to undo.
  public var isChange = true
  /// The ids of the tasks that it concerns, including deleted ones, up to 100.
  public var ids: [TaskItem.ID] = []

  /// Creates a result.
  public init(
    summary: String, revision: Int64, tasks: [TaskItem], isChange: Bool = true,
    ids: [TaskItem.ID] = []
  ) {
    (self.summary, self.revision, self.tasks) = (summary, revision, tasks)
    (self.isChange, self.ids) = (isChange, ids)
  }
}

/// The progress of a long change.
public struct TaskProgress: Equatable, Sendable {
  /// The number of its tasks that are processed.
  public var done: Int
  /// The number of all its tasks.
  public var total: Int
}

extension TaskDraft {
  /// Sample tasks.
  public static let sample: [TaskDraft] = [
    TaskDraft(title: "Buy milk", memo: "two litres, oat", section: "Home"),
    TaskDraft(title: "Water the plants", section: "Home", isDone: true),
    TaskDraft(title: "Call Bob", memo: "about the weekend", section: "Home"),
    TaskDraft(title: "Write the report", section: "Work"),
    TaskDraft(title: "Answer 田中さん", memo: "by Friday", section: "Work"),
    TaskDraft(title: "Book the train ✈️ no, 🚆", section: "Work", isDone: true),
    TaskDraft(title: "Read a chapter", section: "Some day"),
  ]
}
