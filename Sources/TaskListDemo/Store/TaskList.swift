import GRDB

/// The statement behind a list; there are only so many of them, whatever is searched for.
struct TaskList {
  private let source: String
  private let conditions: [String]
  private(set) var arguments: StatementArguments = []

  /// A list; with `search`, what FTS5 finds; with `bounds`, what has a title between two keys; read from
  /// `table`, if not along the list.
  init(
    _ query: TaskQuery, search: String?, table: String? = nil, bounds: StatementArguments? = nil
  ) {
    // CROSS JOIN fixes the order of the loops: from the outer table to the inner one.
    source =
      if let table {
        "\(table) CROSS JOIN sections ON sections.id = tasks.sectionID"
      } else if search != nil, bounds == nil {
        """
        taskWords CROSS JOIN tasks ON tasks.id = taskWords.rowid \
        CROSS JOIN sections ON sections.id = tasks.sectionID
        """
      } else {
        "sections CROSS JOIN tasks ON tasks.sectionID = sections.id"
      }
    var conditions: [String] = []
    if let search {
      conditions.append(
        source.hasPrefix("taskWords")
          ? "taskWords MATCH ?"
          : "tasks.id IN (SELECT rowid FROM taskWords WHERE taskWords MATCH ?)")
      arguments += [search]
    }
    if let section = query.section {
      conditions.append("sections.id = ?")
      arguments += [section]
    }
    if let bounds {
      conditions.append("tasks.titleKey >= ? AND tasks.titleKey < ?")
      arguments += bounds
    }
    if query.filter != .all { conditions.append("tasks.\(query.filter.condition)") }
    self.conditions = conditions
  }

  var sql: String {
    """
    SELECT \(TaskItem.columns) FROM \(source)\(filter) \
    ORDER BY sections.position, tasks.position
    """
  }

  var countSQL: String { "SELECT count(*) FROM \(source)\(filter)" }

  private var filter: String {
    conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension TaskQuery.Filter {
  /// As the partial indexes have it.
  var condition: String {
    switch self {
    case .open: "completedAt IS NULL"
    case .done: "completedAt IS NOT NULL"
    case .all: "TRUE"
    }
  }
}
