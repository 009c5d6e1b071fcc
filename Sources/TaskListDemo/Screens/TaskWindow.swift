/// The part of a list that a screen shows.
struct TaskWindow: Hashable, Sendable {
  var query = TaskQuery()
  /// The first row, from 0.
  var offset = 0
  /// How many rows fit.
  var limit = 20

  /// Changes what is listed, and goes to its top.
  mutating func search<Value>(_ field: WritableKeyPath<TaskQuery, Value>, _ value: Value) {
    query[keyPath: field] = value
    offset = 0
  }
}

extension TaskPage {
  /// A list that has not been read yet.
  static let empty = TaskPage(tasks: [], offset: 0, total: 0, sections: [], revision: -1)

  /// Whether there are sections to tell apart.
  func hasHeadings(in query: TaskQuery) -> Bool { query.section == nil && sections.count > 1 }

  /// How many of its tasks fit in so many rows, together with the headings above them.
  func shownCount(rows: Int, in query: TaskQuery) -> Int {
    var (used, section): (Int, TaskSection.ID?) = (0, nil)
    for (shown, task) in tasks.enumerated() {
      // A heading without a task below it would say nothing.
      let needed = hasHeadings(in: query) && task.sectionID != section ? 2 : 1
      guard used + needed <= rows || used == 0 else { return shown }
      section = task.sectionID
      used += needed
    }
    return tasks.count
  }

  /// The task in a row of the list, from 1, if it is on this page.
  func task(inRow row: Int) -> TaskItem? {
    tasks.indices.contains(row - 1 - offset) ? tasks[row - 1 - offset] : nil
  }
}
