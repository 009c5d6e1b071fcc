import CommandShell
import Foundation
import ReactorREPL
import TaskStore

/// Prints the requested rows as lines: to a pipe, and on a terminal that cannot paint them.
struct Printer: Sendable {
  let outlet: Outlet
  let service: any TaskService
  /// How lists name their tasks.
  var naming = TaskNaming.rows

  /// How many rows are read, and written, at a time.
  private static let pageSize = 1_000

  /// Whether rows are printed because they are not painted.
  var isNeeded: Bool { outlet.isJSON || outlet.paintedWindow() == nil }

  /// Prints a list, from a row on, counted from 1; with headings if there are several sections.
  func printList(_ query: TaskQuery, fromRow first: Int) async throws(TaskError) {
    if outlet.isJSON { return try await printJSON(query, fromRow: first) }
    let outlet = outlet
    var lines = ListLines(from: first, by: naming)
    lines.isOneSection = query.section != nil
    _ = try await service.pages(of: query, size: Self.pageSize, into: lines) {
      lines, page throws(TaskError) in lines.print(page, on: outlet)
    }
  }

  /// One value is one line, however long the list is.
  private func printJSON(_ query: TaskQuery, fromRow first: Int) async throws(TaskError) {
    let page = try await service.page(query, from: max(first - 1, 0), limit: .max)
    outlet.print(ScriptOutput.list(ScriptList(page, hasRows: naming == .rows)).line)
  }

  /// Prints the numbers of open and done tasks.
  func printSections() async throws(TaskError) {
    let sections = try await service.page(TaskQuery(), from: 0, limit: 0).sections
    if outlet.isJSON {
      return outlet.print(ScriptOutput.sections(sections.map(ScriptSection.init)).line)
    }
    printRows { StatisticsView(sections: sections).rows(columns: $0, height: 1_000) }
  }

  /// The notice for a change.
  @Sendable func notice(of outcome: TaskOutcome) -> Notice {
    .outcome(naming == .ids ? outcome.summaryWithIDs : outcome.summary) {
      let sections = (try? await service.sections()) ?? []
      return ScriptOutput.outcome(ScriptOutcome(outcome, in: sections)).line
    }
  }

  /// Prints the rows of a screen, without empty ones.
  func printRows(_ rows: (_ columns: Int) -> [StyledText]) {
    outlet.print(rows(outlet.columns()).filter { !$0.isEmpty })
  }
}

extension TaskOutcome {
  /// `marked "Buy milk" as done (@4)`; with no more ids than a user would use.
  fileprivate var summaryWithIDs: String {
    guard !ids.isEmpty else { return summary }
    let names = ids.prefix(10).map(TaskName.text).joined(separator: ", ")
    return "\(summary) (\(names)\(ids.count > 10 ? ", …" : ""))"
  }
}

/// The lines of a list, created page by page.
struct ListLines: Sendable {
  /// The first row to show, from 1.
  let first: Int
  let naming: TaskNaming
  var isOneSection = false
  private var section: TaskSection.ID?
  private let times = TimeLabel(now: Date())

  init(from first: Int, by naming: TaskNaming) {
    self.first = first
    self.naming = naming
  }

  /// Prints the next page.
  mutating func print(_ page: TaskPage, on outlet: Outlet) {
    var page = page
    let skipped = min(max(first - 1 - page.offset, 0), page.tasks.count)
    page.tasks.removeFirst(skipped)
    page.offset += skipped
    defer { section = page.tasks.last?.sectionID ?? section }
    guard !page.tasks.isEmpty else { return }
    guard outlet.styles != nil else {
      let lines = PlainList.lines(
        of: page, by: naming, isOneSection: isOneSection, after: section)
      return outlet.print(lines.joined(separator: "\n"))
    }
    outlet.print(rows(of: page, columns: outlet.columns()))
  }

  /// As on a screen, but no title is truncated, since the user cannot scroll to the rest.
  private func rows(of page: TaskPage, columns: Int) -> [StyledText] {
    let labels = page.tasks.enumerated().map { naming.label($1, inRow: page.offset + $0 + 1) }
    let labelColumns = labels.map(\.count).max() ?? 0
    let columns = min(columns, ListScreenView.width)
    return PlainList.lines(
      of: page, isOneSection: isOneSection, after: section,
      heading: { StyledText("# \($0)", [.bold, .blue]) },
      row: { task, number in
        let row = TaskRow(label: labels[number - page.offset - 1], task: task)
        let needed = row.titleColumns + labelColumns - row.label.count
        return row.styled(
          columns: max(columns, needed), labelColumns: labelColumns, times: times)
      })
  }
}

extension Printer {
  /// Whether a choice of what to show prints the rows at once, without a further request.
  var printsChoices: Bool { outlet.isInteractive || naming == .ids }

  /// Returns a file to write to; standard output only if nothing is painted there.
  func exportPath(_ path: String) throws(TaskError) -> String {
    guard FileNames.isStandardOutput(path), outlet.isInteractive, naming == .rows else {
      return FileNames.expanded(path)
    }
    throw .refused("the terminal shows the list; name a file")
  }

  /// Returns a file to read; standard input only if commands are not read from it.
  func importPath(_ path: String) throws(TaskError) -> String {
    guard FileNames.isStandardInput(path), naming == .rows else { return FileNames.expanded(path) }
    throw .refused("the commands come from standard input; name a file")
  }
}

/// How a printed list names its tasks.
enum TaskNaming: Equatable, Sendable {
  /// By their rows, in a session that shows that list.
  case rows
  /// By their ids: the next command is another process.
  case ids

  /// `12. ` or `@34 `.
  func label(_ task: TaskItem, inRow row: Int) -> String {
    switch self {
    case .rows: "\(row). "
    case .ids: "\(TaskName.text(of: task.id)) "
    }
  }
}

/// The list as lines of plain text, for pipes: `1. [ ] Buy milk`.
enum PlainList {
  /// Returns a page, row by row; with headings if there is more than one section.
  ///
  /// Rows are numbered through all sections, as commands count them. `last` is the section of the
  /// row before the page, whose heading has been printed.
  static func lines(
    of page: TaskPage, by naming: TaskNaming = .rows, isOneSection: Bool = false,
    after last: TaskSection.ID? = nil
  ) -> [String] {
    lines(
      of: page, isOneSection: isOneSection, after: last,
      heading: { "# \(CommandError.harmless($0))" },
      row: { task, row in
        "\(naming.label(task, inRow: row))[\(task.isDone ? "x" : " ")] "
          + CommandError.harmless(task.title)
      })
  }

  /// The same, with closures that create the lines.
  static func lines<Line>(
    of page: TaskPage, isOneSection: Bool, after last: TaskSection.ID?,
    heading: (String) -> Line, row: (_ task: TaskItem, _ row: Int) -> Line
  ) -> [Line] {
    let hasHeadings = !isOneSection && page.sections.count > 1
    let names = page.sections.names
    var lines: [Line] = []
    var section = last
    for (index, task) in page.tasks.enumerated() {
      if hasHeadings, task.sectionID != section {
        section = task.sectionID
        lines.append(heading(names[task.sectionID] ?? ""))
      }
      lines.append(row(task, page.offset + index + 1))
    }
    return lines
  }
}
