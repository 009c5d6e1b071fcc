import GRDB

/// Lists, in the order of the sections and of the positions within.
extension TaskStore {
  func page(_ query: TaskQuery, from offset: Int, limit: Int) throws -> TaskPage {
    let sections = try sections()
    let tasks: [TaskItem]
    let total: Int
    if let search = searchExpression(query.search) {
      total = try count(TaskList(query, by: .words, search: search))
      tasks = try rows(of: list(query, search), from: max(0, offset), limit: max(0, limit))
    } else {
      let listed = sections.filter { query.section == nil || $0.id == query.section }
      total = listed.reduce(0) { $0 + $1.count(of: query.filter) }
      tasks = try rows(of: listed, query.filter, from: max(0, offset), limit: max(0, limit))
    }
    return TaskPage(
      tasks: tasks, offset: max(0, offset), total: total,
      sections: shown(sections, in: query), revision: try revision)
  }

  /// The sections that a list shows.
  func shown(_ sections: [TaskSection], in query: TaskQuery) -> [TaskSection] {
    sections.filter { $0.count > 0 || $0.id == query.section }
  }

  /// The counts determine the section of a row, so that earlier sections need not be read.
  private func rows(
    of sections: [TaskSection], _ filter: TaskQuery.Filter, from offset: Int, limit: Int
  ) throws -> [TaskItem] {
    var tasks: [TaskItem] = []
    var offset = offset
    for section in sections where tasks.count < limit {
      let count = section.count(of: filter)
      if offset < count {
        tasks += try rows(of: section.id, filter, from: offset, limit: limit - tasks.count)
      }
      offset = max(0, offset - count)
    }
    return tasks
  }

  private func rows(
    of section: TaskSection.ID, _ filter: TaskQuery.Filter, from offset: Int, limit: Int
  ) throws -> [TaskItem] {
    // Without a filter, the position is the row.
    let (rows, arguments): (String, StatementArguments) =
      switch filter {
      case .all: ("AND position >= ? ORDER BY position LIMIT ?", [section, offset, limit])
      case .open, .done:
        ("AND \(filter.condition) ORDER BY position LIMIT ? OFFSET ?", [section, limit, offset])
      }
    return try TaskItem.fetchAll(
      db.cachedStatement(sql: "SELECT \(TaskItem.columns) FROM tasks WHERE sectionID = ? \(rows)"),
      arguments: arguments)
  }

  /// Calls a closure with a whole list in its order, page after page; at least once.
  func forEachPage(of query: TaskQuery, size: Int, _ body: (TaskPage) throws -> Void) throws {
    let list = try list(query, searchExpression(query.search))
    let tasks = try TaskItem.fetchCursor(
      db.cachedStatement(sql: list.sql), arguments: list.arguments)
    var page = try page(query, from: 0, limit: 0)
    var next = try tasks.next()
    repeat {
      page.offset += page.tasks.count
      page.tasks = []
      while page.tasks.count < max(1, size), let task = next {
        page.tasks.append(task)
        next = try tasks.next()
      }
      try body(page)
    } while next != nil
    // All of it is of one moment, so another count means that the database is damaged.
    guard page.offset + page.tasks.count == page.total else { throw Stored.damage }
  }

  /// Returns the row of a task in a list, from 0; `nil` if the list does not have it.
  func row(of id: TaskItem.ID, in query: TaskQuery) throws -> Int? {
    if let search = searchExpression(query.search) {
      let list = try list(query, search)
      return try Int.fetchOne(
        db.cachedStatement(sql: list.rowSQL), arguments: list.arguments + [id])
    }
    guard let task = try task(id), query.section == nil || query.section == task.sectionID,
      query.filter == .all || task.isDone == (query.filter == .done)
    else { return nil }
    let listed = try sections().filter { query.section == nil || $0.id == query.section }
    let before = listed.prefix { $0.id != task.sectionID }
    let above = try number(
      "SELECT count(*) FROM tasks WHERE sectionID = ? AND position < ? AND "
        + "\(query.filter.condition)",
      [task.sectionID, task.position])
    return before.reduce(Int(above)) { $0 + $1.count(of: query.filter) }
  }

  /// Returns the first tasks of a list whose title begins with a text.
  func tasks(titled prefix: String, in query: TaskQuery, limit: Int) throws -> [TaskItem] {
    let key = TaskText.key(prefix)
    let titles = (key, key + "\u{10FFFF}")
    let found = try count(
      TaskList(TaskQuery(), by: .titles, search: nil, titles: titles), upTo: TaskList.many)
    return try rows(
      of: TaskList(
        query, by: found < TaskList.many ? .titles : .list,
        search: searchExpression(query.search), titles: titles),
      from: 0, limit: max(0, limit))
  }

  /// Returns a list by the faster route.
  private func list(_ query: TaskQuery, _ search: String?) throws -> TaskList {
    guard let search else { return TaskList(query, by: .list, search: nil) }
    let found = try count(
      TaskList(TaskQuery(), by: .words, search: search), upTo: TaskList.many)
    return TaskList(query, by: found < TaskList.many ? .words : .list, search: search)
  }

  private func rows(of list: TaskList, from offset: Int, limit: Int) throws -> [TaskItem] {
    try TaskItem.fetchAll(
      db.cachedStatement(sql: "\(list.sql) LIMIT ? OFFSET ?"),
      arguments: list.arguments + [limit, offset])
  }

  private func count(_ list: TaskList, upTo limit: Int = -1) throws -> Int {
    Int(try number(list.countSQL, list.arguments + [limit]))
  }
}

/// Positions: the tasks of a section are numbered from 0, without gaps.
///
/// Only the tasks between the old position and the new one move: for a neighbouring position that
/// is one task, however long the list is.
extension TaskStore {
  /// Moves a task to a position, possibly in another section.
  func place(
    _ id: TaskItem.ID, in section: TaskSection.ID, at position: Int
  ) throws {
    guard let task = try task(id) else { return }
    guard task.sectionID == section else {
      try shift(task.sectionID, from: task.position + 1, by: -1)
      try shift(section, from: position, by: 1)
      return try run(
        "UPDATE tasks SET sectionID = ?, position = ? WHERE id = ?", [section, position, id])
    }
    if task.position < position {
      try shift(section, from: task.position + 1, upTo: position + 1, by: -1)
    } else {
      try shift(section, from: position, upTo: task.position, by: 1)
    }
    try run("UPDATE tasks SET position = ? WHERE id = ?", [position, id])
  }

  /// Closes the gaps that the tasks of a step have left.
  func closeGaps(of images: StepImages) throws {
    let gaps = try Row.fetchCursor(
      db.cachedStatement(sql: "\(Self.gaps) ORDER BY sectionID, position"),
      arguments: images.arguments)
    while let gap = try gaps.next() {
      let (position, ordinal) = try (gap.count(atIndex: 1), gap.count(atIndex: 2))
      let next = try gap.hasNull(atIndex: 3) ? nil : gap.count(atIndex: 3)
      try shift(gap[0], from: position + 1, upTo: next ?? .max, by: -ordinal)
    }
  }

  /// Opens gaps for the tasks of a step: the later ones first, so that no task moves twice.
  func openGaps(of images: StepImages) throws {
    let gaps = try Row.fetchCursor(
      db.cachedStatement(sql: "\(Self.gaps) ORDER BY sectionID, position DESC"),
      arguments: images.arguments)
    while let gap = try gaps.next() {
      let (position, ordinal) = try (gap.count(atIndex: 1), gap.count(atIndex: 2))
      let next = try gap.hasNull(atIndex: 3) ? nil : gap.count(atIndex: 3)
      let end = next.map { $0 - ordinal } ?? .max
      try shift(gap[0], from: position - ordinal + 1, upTo: end, by: ordinal)
    }
  }

  /// The position of each task of a step, its ordinal among the step's tasks in the section, and
  /// the position of the next one.
  private static let gaps = """
    SELECT sectionID, position,
      row_number() OVER (PARTITION BY sectionID ORDER BY position),
      lead(position) OVER (PARTITION BY sectionID ORDER BY position)
    FROM stepTasks WHERE stepID = ? AND isAfter = ?
    """

  private func shift(
    _ section: TaskSection.ID, from start: Int, upTo end: Int = .max, by distance: Int
  ) throws {
    guard start < end else { return }
    try run(
      """
      UPDATE tasks SET position = position + ?
        WHERE sectionID = ? AND position >= ? AND position < ?
      """, [distance, section, start, end])
  }
}
