import GRDB

/// The SQL statement of a list; there is a fixed number of them, whatever is searched for.
///
/// The order is always the same; the route decides how the rows are found. Along the list, the
/// first rows are found at once, but each row is checked; with an index, only matching rows are
/// read, and then sorted.
struct TaskList {
  enum Route {
    case list, words, titles
  }

  /// From this number of matches on, it is faster to read along the list.
  static let many = 1_000

  private let route: Route
  private let query: TaskQuery
  private var conditions: [String] = []
  private(set) var arguments: StatementArguments = []

  /// Creates a list; `search` is a search expression of FTS5, and `titles` a range of keys, without
  /// its end.
  init(
    _ query: TaskQuery, by route: Route, search: String?, titles: (String, String)? = nil
  ) {
    self.route = route
    self.query = query
    if let search {
      add(
        route == .words
          ? "taskWords MATCH ?"
          : "tasks.id IN (SELECT rowid FROM taskWords WHERE taskWords MATCH ?)", [search])
    }
    if let section = query.section { add("tasks.sectionID = ?", [section]) }
    if let titles { add("tasks.titleKey >= ? AND tasks.titleKey < ?", [titles.0, titles.1]) }
    if query.filter != .all { add("tasks.\(query.filter.condition)", []) }
  }

  var sql: String {
    """
    SELECT \(TaskItem.columns) FROM \(source)\(filter) \
    ORDER BY sections.position, tasks.position
    """
  }

  /// Selects the row of one task, from 0.
  var rowSQL: String {
    """
    SELECT place FROM (SELECT tasks.id AS id, \
    row_number() OVER (ORDER BY sections.position, tasks.position) - 1 AS place \
    FROM \(source)\(filter)) WHERE id = ?
    """
  }

  /// Counts the tasks, up to a limit.
  var countSQL: String {
    // If there is no other condition, the index of words alone is enough.
    let source = route == .words && conditions.count == 1 ? "taskWords" : found
    return "SELECT count(*) FROM (SELECT 1 FROM \(source)\(filter) LIMIT ?)"
  }

  private mutating func add(_ condition: String, _ arguments: StatementArguments) {
    conditions.append(condition)
    self.arguments += arguments
  }

  /// CROSS JOIN fixes the order of the loops: from the outer table to the inner one.
  private var source: String {
    switch route {
    case .list:
      """
      sections CROSS JOIN tasks INDEXED BY \(query.filter.index) \
      ON tasks.sectionID = sections.id
      """
    case .words, .titles: "\(found) CROSS JOIN sections ON sections.id = tasks.sectionID"
    }
  }

  private var found: String {
    switch route {
    case .list: "tasks"
    case .titles: "tasks INDEXED BY tasksByTitle"
    case .words: "taskWords CROSS JOIN tasks ON tasks.id = taskWords.rowid"
    }
  }

  private var filter: String {
    conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension TaskQuery.Filter {
  /// The condition of the partial index.
  var condition: String {
    switch self {
    case .open: "completedAt IS NULL"
    case .done: "completedAt IS NOT NULL"
    case .all: "TRUE"
    }
  }

  /// The index of the positions of these tasks.
  var index: String {
    switch self {
    case .open: "openTasksByPlace"
    case .done: "doneTasksByPlace"
    case .all: "tasksByPlace"
    }
  }
}
