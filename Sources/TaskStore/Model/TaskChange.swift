public import Foundation

/// What can be done to the tasks; each is one step of undo.
public enum TaskChange: Equatable, Sendable {
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
public struct TaskDraft: Equatable, Sendable {
  /// Its title, as a person gives it.
  public var title: String
  /// What there is to say beside the title.
  public var memo: String?
  /// The name of its section, whatever the case of its letters.
  public var section = TaskSection.standardName
  /// Whether it is done.
  public var isDone = false
  /// `nil` for now.
  public var createdAt: Date?
  /// Of a task that is done; `nil` for now.
  public var completedAt: Date?

  /// A task that is open and new, unless something else is given.
  public init(
    title: String, memo: String? = nil, section: String = TaskSection.standardName,
    isDone: Bool = false, createdAt: Date? = nil, completedAt: Date? = nil
  ) {
    (self.title, self.memo, self.section) = (title, memo, section)
    (self.isDone, self.createdAt, self.completedAt) = (isDone, createdAt, completedAt)
  }
}

/// One field of a task, changed; the others stay as they are.
public enum TaskEdit: Equatable, Sendable {
  case title(String)
  /// `nil`, or only blanks, for none.
  case memo(String?)
}

/// What a change has done.
public struct TaskOutcome: Equatable, Sendable {
  /// For a person: `added "Buy milk"`, `deleted 3 tasks`.
  public var summary: String
  /// The state of the database after it.
  public var revision: Int64
  /// The tasks it was about and that still exist, up to 100.
  public var tasks: [TaskItem]
  /// Whether anything is different now; if not, there is no step to undo.
  public var isChange = true
  /// The ids of the tasks it was about, deleted ones as well, up to 100.
  public var ids: [TaskItem.ID] = []

  /// What a change has done.
  public init(
    summary: String, revision: Int64, tasks: [TaskItem], isChange: Bool = true,
    ids: [TaskItem.ID] = []
  ) {
    (self.summary, self.revision, self.tasks) = (summary, revision, tasks)
    (self.isChange, self.ids) = (isChange, ids)
  }
}

/// How far a long change has come.
public struct TaskProgress: Equatable, Sendable {
  /// How many of its tasks are done with.
  public var done: Int
  /// How many there are.
  public var total: Int
}

extension TaskDraft {
  /// Tasks to try things out with.
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
