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
