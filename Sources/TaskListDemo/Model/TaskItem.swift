import Foundation

/// A task, as it is stored. (`Task` is Swift's.)
struct TaskItem: Identifiable, Hashable, Sendable {
  typealias ID = Int64

  let id: ID
  var sectionID: TaskSection.ID
  /// Never empty, and not only blanks.
  var title: String
  var memo: String?
  var createdAt: Date
  /// When it was done; `nil` while it is open.
  var completedAt: Date?
  /// Where it stands in its section, from 0, without gaps.
  var position: Int

  var isDone: Bool { completedAt != nil }
}

extension Sequence<TaskSection> {
  /// What each is called.
  var names: [TaskSection.ID: String] {
    Dictionary(map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A named list of tasks.
struct TaskSection: Identifiable, Hashable, Sendable {
  typealias ID = Int64

  let id: ID
  var name: String
  /// Where it stands among the sections, from 0, without gaps.
  var position: Int
  var openCount: Int
  var doneCount: Int

  var count: Int { openCount + doneCount }

  /// Where a task goes that names no section.
  static let standardName = "Tasks"

  /// How many of its tasks a list shows.
  func count(of filter: TaskQuery.Filter) -> Int {
    switch filter {
    case .open: openCount
    case .done: doneCount
    case .all: count
    }
  }
}

/// Which tasks a list shows; always in the order of the sections, and of the positions within.
struct TaskQuery: Hashable, Sendable {
  /// Open tasks, done ones, or both.
  enum Filter: String, CaseIterable, Sendable {
    case open, done, all
  }

  /// One section alone; `nil` for all.
  var section: TaskSection.ID?
  var filter = Filter.all
  /// Words, each of which begins a word of the title or the memo; empty for no search.
  var search = ""
}

/// Consecutive rows of a list, read at one moment.
struct TaskPage: Equatable, Sendable {
  /// The tasks, in order.
  var tasks: [TaskItem]
  /// The row of the first of them, from 0.
  var offset: Int
  /// How many tasks the whole list has.
  var total: Int
  /// Every section that has tasks, in order; and the one that the query names, if any.
  var sections: [TaskSection]
  /// The state of the database that this shows: what is newer has a higher one.
  var revision: Int64
}
