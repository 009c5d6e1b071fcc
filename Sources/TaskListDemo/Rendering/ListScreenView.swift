import CommandShell
import ReactorREPL
import TaskStore

/// The list on a terminal, from the title bar to the status row, as a pure function of its values.
struct ListScreenView {
  /// The rows to show; nil before any have been read.
  var page: TaskPage?
  /// The query of the list.
  var query = TaskQuery()
  /// Whether a row's number opens the editor instead of marking the task as done.
  var isEditing = false
  var status = ScreenStatus()
  var times: TimeLabel

  /// The number of tasks that fill a window; headings may take some of the rows.
  static func pageSize(height: Int) -> Int { max(1, height - 2) }

  /// The maximum width unless a task needs more: otherwise a time would be too far from its title.
  static let width = 100

  /// The rows, no more than `height` and none wider than `columns`.
  func rows(columns: Int, height: Int) -> [StyledText] {
    let columns = width(in: columns, height: max(1, height - 2))
    let body = body(columns: columns, height: max(1, height - 2))
    let statusRow = status.row(columns: columns, right: position(shown: body.shown))
    let rows = [titleBar(columns: columns)] + body.rows + [statusRow]
    // In a low window, the tasks are shown rather than the title bar and the status.
    switch height {
    case ..<1: return []
    case 1: return body.rows
    case 2: return body.rows + [statusRow]
    default: return rows
    }
  }

  /// The rows of the list, from 0, that a window of that height shows.
  func shownRows(height: Int) -> Range<Int> {
    guard let page else { return 0..<0 }
    let shown = body(columns: 80, height: max(1, height - 2)).shown
    return page.offset..<page.offset + shown
  }

  // MARK: Title

  private func titleBar(columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(sectionName, .bold)
    if query.filter != .all { row.add(" · \(query.filter.rawValue)", .cyan) }
    if !query.search.isEmpty { row.add(" · search “\(query.search)”", .cyan) }
    if isEditing { row.add(" · editing", .yellow) }
    row.addRight(counts, .dim)
    return row.row
  }

  private var sectionName: String {
    guard let id = query.section else { return "Tasks" }
    return page?.sections.first { $0.id == id }?.name ?? "Tasks"
  }

  private var counts: String {
    guard let page else { return "" }
    let sections = page.sections.filter { query.section == nil || $0.id == query.section }
    let open = NumberText.grouped(sections.reduce(0) { $0 + $1.openCount })
    let done = NumberText.grouped(sections.reduce(0) { $0 + $1.doneCount })
    let found = query.search.isEmpty ? "" : "\(NumberText.grouped(page.total)) found · "
    return "\(found)\(open) open · \(done) done"
  }

  // MARK: Tasks

  private func body(columns: Int, height: Int) -> (rows: [StyledText], shown: Int) {
    guard let page else { return ([RowBuilder.row("…", .dim, columns: columns)], 0) }
    guard !page.tasks.isEmpty else {
      return ([RowBuilder.row(emptyText(page), .dim, columns: columns)], 0)
    }
    let names = headings(page)
    let labelColumns = labelColumns(page)
    var (rows, section): ([StyledText], TaskSection.ID?) = ([], nil)
    let shown = page.shownCount(rows: height, in: query)
    for (index, task) in page.tasks.prefix(shown).enumerated() {
      let heading = task.sectionID == section ? nil : names[task.sectionID]
      if let heading, height > 1 {
        rows.append(RowBuilder.row("# \(heading)", [.bold, .blue], columns: columns))
      }
      section = task.sectionID
      rows.append(
        TaskRow(number: page.offset + index + 1, task: task).styled(
          columns: columns, labelColumns: labelColumns, times: times))
    }
    return (rows, shown)
  }

  /// The width that every visible task fits into, limited by the window's width.
  private func width(in columns: Int, height: Int) -> Int {
    guard let page, columns > Self.width else { return columns }
    let shown = page.tasks.prefix(page.shownCount(rows: height, in: query))
    let labelColumns = labelColumns(page)
    let needed = shown.enumerated().map { index, task in
      let row = TaskRow(number: page.offset + index + 1, task: task)
      return row.columns(upTo: columns, labelColumns: labelColumns, times: times)
    }
    return min(columns, max(Self.width, needed.max() ?? 0))
  }

  private func labelColumns(_ page: TaskPage) -> Int {
    "\(page.offset + page.tasks.count). ".count
  }

  /// The sections' names, if there is more than one section.
  private func headings(_ page: TaskPage) -> [TaskSection.ID: String] {
    guard page.hasHeadings(in: query) else { return [:] }
    return page.sections.names
  }

  private func emptyText(_ page: TaskPage) -> String {
    if page.total > 0 { return "no tasks this far down; try 'list'" }
    if !query.search.isEmpty { return "no task matches; 'search' alone ends the search" }
    if query.filter != .all { return "no \(query.filter.rawValue) tasks; try 'filter all'" }
    return "no tasks yet; try 'add Buy milk'"
  }

  // MARK: Status

  /// `rows 1–18 of 100000`, if not all rows are visible; without separators, as rows are typed.
  private func position(shown: Int) -> String {
    guard let page, shown > 0, page.offset > 0 || shown < page.total else { return "" }
    return "rows \(page.offset + 1)–\(page.offset + shown) of \(page.total)"
  }
}
