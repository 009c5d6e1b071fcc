import Readline

/// Prints what was asked for as lines: into a pipe, and where a terminal has no room to paint it.
struct Printer: Sendable {
  let outlet: Outlet
  let service: any TaskService
  /// Whether a script reads it: one JSON value on each line.
  var isJSON = false

  /// How many rows are read, and written, at a time.
  private static let pageSize = 1_000

  /// Whether rows are printed because they are not painted.
  var isNeeded: Bool { isJSON || outlet.paintedWindow() == nil }

  /// Prints a list, from a row on, counted from 1; with headings if there are several sections.
  func printList(_ query: TaskQuery, fromRow first: Int) async throws(TaskError) {
    if isJSON { return try await printJSON(query, fromRow: first) }
    let outlet = outlet
    var lines = ListLines(from: first)
    lines.isOneSection = query.section != nil
    _ = try await service.pages(of: query, size: Self.pageSize, into: lines) {
      lines, page throws(TaskError) in
      let text = lines.text(of: page)
      if !text.isEmpty { outlet.print(text) }
    }
  }

  /// One value is one line, however long the list is.
  private func printJSON(_ query: TaskQuery, fromRow first: Int) async throws(TaskError) {
    let page = try await service.page(query, from: max(first - 1, 0), limit: .max)
    outlet.print(ScriptOutput.list(ScriptList(page)).line)
  }

  /// Prints how many tasks are open and done.
  func printSections() async throws(TaskError) {
    let sections = try await service.page(TaskQuery(), from: 0, limit: 0).sections
    if isJSON { return outlet.print(ScriptOutput.sections(sections.map(ScriptSection.init)).line) }
    printRows { StatisticsView(sections: sections).rows(columns: $0, height: 1_000) }
  }

  /// Prints what was done, if somebody wants to know.
  func print(_ outcome: TaskOutcome) async {
    if isJSON {
      let sections = (try? await service.sections()) ?? []
      outlet.print(ScriptOutput.outcome(ScriptOutcome(outcome, in: sections)).line)
    } else if outlet.isPerson {
      outlet.print(outcome.summary)
    }
  }

  /// Prints what is to be told about commands.
  func printHelp(_ text: String) {
    outlet.print(isJSON ? ScriptOutput.help(text).line : text)
  }

  /// Prints why something was not done.
  func printFailure(_ reason: String) {
    outlet.printError(isJSON ? ScriptOutput.error(reason).line : "error: \(reason)")
  }

  /// Prints the rows of a screen, as far as they say something.
  func printRows(_ rows: (_ columns: Int) -> [StyledText]) {
    for row in rows(outlet.columns()) where !row.isEmpty { outlet.print(row.plain) }
  }
}

/// The lines of a list, made page by page.
struct ListLines: Sendable {
  /// The first row to show, from 1.
  let first: Int
  var isOneSection = false
  private var section: TaskSection.ID?

  init(from first: Int) { self.first = first }

  /// The lines of the next page, in one text.
  mutating func text(of page: TaskPage) -> String {
    var page = page
    let skipped = min(max(first - 1 - page.offset, 0), page.tasks.count)
    page.tasks.removeFirst(skipped)
    page.offset += skipped
    let lines = PlainList.lines(of: page, isOneSection: isOneSection, after: section)
    section = page.tasks.last?.sectionID ?? section
    return lines.joined(separator: "\n")
  }
}
