public import Foundation

/// A task, as it is stored.
///
/// (`Task` is Swift's.)
public struct TaskItem: Identifiable, Hashable, Sendable {
  /// A number that is never reused.
  public typealias ID = Int64

  /// The number that identifies it.
  public let id: ID
  /// The section of the task.
  public var sectionID: TaskSection.ID
  /// Never blank.
  public var title: String
  /// Text in addition to the title.
  public var memo: String?
  /// When it was added.
  public var createdAt: Date
  /// When it was done; `nil` while it is open.
  public var completedAt: Date?
  /// The position in its section, from 0, without gaps.
  public var position: Int

  /// Whether it is done.
  public var isDone: Bool { completedAt != nil }
}

extension Sequence<TaskSection> {
  /// The sections' names by id.
  public var names: [TaskSection.ID: String] {
    Dictionary(map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A named list of tasks.
public struct TaskSection: Identifiable, Hashable, Sendable {
  /// A number that is never reused.
  public typealias ID = Int64

  /// The number that identifies it.
  public let id: ID
  /// The name.
  public var name: String
  /// The position among the sections, from 0, without gaps.
  public var position: Int
  /// The number of its open tasks.
  public var openCount: Int
  /// The number of its done tasks.
  public var doneCount: Int

  /// The number of its tasks.
  public var count: Int { openCount + doneCount }

  /// The section of tasks that are added without one.
  public static let standardName = "Tasks"

  /// The number of its tasks that a filter shows.
  public func count(of filter: TaskQuery.Filter) -> Int {
    switch filter {
    case .open: openCount
    case .done: doneCount
    case .all: count
    }
  }
}

/// Selects the tasks of a list; the order is always that of the sections, and of the positions
/// within.
public struct TaskQuery: Hashable, Sendable {
  /// Open tasks, done ones, or both.
  public enum Filter: String, CaseIterable, Sendable {
    case open, done, all
  }

  /// One section; `nil` for all.
  public var section: TaskSection.ID?
  /// Open tasks, done ones, or both.
  public var filter = Filter.all
  /// Words, each of which begins a word of the title or the memo; empty for no search.
  public var search = ""

  /// Creates a query; by default, for all tasks.
  public init(section: TaskSection.ID? = nil, filter: Filter = .all, search: String = "") {
    (self.section, self.filter, self.search) = (section, filter, search)
  }
}

/// Consecutive rows of a list, read at one moment.
public struct TaskPage: Equatable, Sendable {
  /// The tasks, in order.
  public var tasks: [TaskItem]
  /// The row of the first of them, from 0.
  public var offset: Int
  /// The number of tasks in the whole list.
  public var total: Int
  /// Every section that has tasks, in order, and the section of the query, if it has one.
  public var sections: [TaskSection]
  /// The revision of the database that this shows: newer pages have a higher one.
  public var revision: Int64

  /// Creates a page.
  public init(
    tasks: [TaskItem], offset: Int, total: Int, sections: [TaskSection], revision: Int64
  ) {
    (self.tasks, self.offset, self.total) = (tasks, offset, total)
    (self.sections, self.revision) = (sections, revision)
  }
}
