import Foundation

/// A task, as it is stored.
///
/// (`Task` is Swift's.)
struct TaskItem: Identifiable, Hashable, Sendable {
  typealias ID = Int64

  let id: ID
  var sectionID: TaskSection.ID
  /// Never blank.
  var title: String
  var memo: String?
  var createdAt: Date
  /// When it was done; `nil` while it is open.
  var completedAt: Date?
  /// The position in its section, from 0, without gaps.
  var position: Int

  var isDone: Bool { completedAt != nil }
}

extension Sequence<TaskSection> {
  /// The sections' names by id.
  var names: [TaskSection.ID: String] {
    Dictionary(map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A named list of tasks.
struct TaskSection: Identifiable, Hashable, Sendable {
  typealias ID = Int64

  let id: ID
  var name: String
  /// The position among the sections, from 0, without gaps.
  var position: Int
  var openCount: Int
  var doneCount: Int

  var count: Int { openCount + doneCount }

  /// The section of tasks that are added without one.
  static let standardName = "Tasks"

  /// The number of its tasks that a filter shows.
  func count(of filter: TaskQuery.Filter) -> Int {
    switch filter {
    case .open: openCount
    case .done: doneCount
    case .all: count
    }
  }
}

/// Selects the tasks of a list; the order is always that of the sections, and of the positions
/// within.
struct TaskQuery: Hashable, Sendable {
  /// Open tasks, done ones, or both.
  enum Filter: String, CaseIterable, Sendable {
    case open, done, all
  }

  /// One section; `nil` for all.
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
  /// The number of tasks in the whole list.
  var total: Int
  /// Every section that has tasks, in order, and the section of the query, if it has one.
  var sections: [TaskSection]
  /// The revision of the database that this shows: newer pages have a higher one.
  var revision: Int64
}
