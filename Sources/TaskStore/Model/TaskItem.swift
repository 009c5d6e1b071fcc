public import Foundation

/// A task, as it is stored. (`Task` is Swift's.)
public struct TaskItem: Identifiable, Hashable, Sendable {
  /// A number that is never used again.
  public typealias ID = Int64

  /// Its number.
  public let id: ID
  /// The section that it is in.
  public var sectionID: TaskSection.ID
  /// Never empty, and not only blanks.
  public var title: String
  /// What there is to say beside the title.
  public var memo: String?
  /// When it was made.
  public var createdAt: Date
  /// When it was done; `nil` while it is open.
  public var completedAt: Date?
  /// Where it stands in its section, from 0, without gaps.
  public var position: Int

  /// Whether it is done.
  public var isDone: Bool { completedAt != nil }
}

extension Sequence<TaskSection> {
  /// What each is called.
  public var names: [TaskSection.ID: String] {
    Dictionary(map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A named list of tasks.
public struct TaskSection: Identifiable, Hashable, Sendable {
  /// A number that is never used again.
  public typealias ID = Int64

  /// Its number.
  public let id: ID
  /// What it is called.
  public var name: String
  /// Where it stands among the sections, from 0, without gaps.
  public var position: Int
  /// How many of its tasks are open.
  public var openCount: Int
  /// How many of its tasks are done.
  public var doneCount: Int

  /// How many tasks it has.
  public var count: Int { openCount + doneCount }

  /// Where a task goes that names no section.
  public static let standardName = "Tasks"

  /// How many of its tasks a list shows.
  public func count(of filter: TaskQuery.Filter) -> Int {
    switch filter {
    case .open: openCount
    case .done: doneCount
    case .all: count
    }
  }
}

/// Which tasks a list shows; always in the order of the sections, and of the positions within.
public struct TaskQuery: Hashable, Sendable {
  /// Open tasks, done ones, or both.
  public enum Filter: String, CaseIterable, Sendable {
    case open, done, all
  }

  /// One section alone; `nil` for all.
  public var section: TaskSection.ID?
  /// Open tasks, done ones, or both.
  public var filter = Filter.all
  /// Words, each of which begins a word of the title or the memo; empty for no search.
  public var search = ""

  /// A list: of all tasks unless something is given.
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
  /// How many tasks the whole list has.
  public var total: Int
  /// Every section that has tasks, in order; and the one that the query names, if any.
  public var sections: [TaskSection]
  /// The state of the database that this shows: what is newer has a higher one.
  public var revision: Int64

  /// Rows that were read.
  public init(
    tasks: [TaskItem], offset: Int, total: Int, sections: [TaskSection], revision: Int64
  ) {
    (self.tasks, self.offset, self.total) = (tasks, offset, total)
    (self.sections, self.revision) = (sections, revision)
  }
}
