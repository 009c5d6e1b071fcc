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

  /// The task in a row of the list, from 1, if it is on this page.
  func task(inRow row: Int) -> TaskItem? {
    tasks.indices.contains(row - 1 - offset) ? tasks[row - 1 - offset] : nil
  }
}
