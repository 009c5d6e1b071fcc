import CommandShell
import ReactorREPL
import TaskStore

/// The progress of each section, on a terminal.
struct StatisticsView {
  /// Every section, in order; nil before they have been read.
  var sections: [TaskSection]?
  var status = ScreenStatus()

  /// The rows, no more than `height` and none wider than `columns`.
  func rows(columns: Int, height: Int) -> [StyledText] {
    guard height > 0 else { return [] }
    let rows = [titleBar(columns)] + body(columns: columns, height: max(1, height - 2))
    // In a low window, the counts are shown rather than the status.
    return height < 3 ? Array(rows.prefix(height)) : rows + [status.row(columns: columns)]
  }

  private func titleBar(_ columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add("Statistics", .bold)
    if let sections {
      let open = NumberText.grouped(sections.reduce(0) { $0 + $1.openCount })
      let done = NumberText.grouped(sections.reduce(0) { $0 + $1.doneCount })
      row.addRight("\(open) open · \(done) done", .dim)
    }
    return row.row
  }

  private func body(columns: Int, height: Int) -> [StyledText] {
    guard let sections else { return [RowBuilder.row("…", .dim, columns: columns)] }
    guard !sections.isEmpty else {
      return [RowBuilder.row("no sections yet; 'back' leaves", .dim, columns: columns)]
    }
    let shown = sections.count > height ? sections.prefix(height - 1) : sections[...]
    // The longest name sets the width of the column, up to a third of the window.
    let longest = shown.map { DisplayWidth.of(DisplayText.fitted($0.name, to: columns).text) }.max()
    let nameColumns = min(longest ?? 0, columns / 3)
    let rows = shown.map { Self.row($0, columns: columns, nameColumns: nameColumns) }
    guard shown.count < sections.count else { return rows }
    let rest = NumberText.counted(sections.count - shown.count, "more section")
    return rows + [RowBuilder.row("… \(rest)", .dim, columns: columns)]
  }

  private static func row(_ section: TaskSection, columns: Int, nameColumns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(DisplayText.padded(section.name, to: nameColumns))
    let share = section.count > 0 ? Double(section.doneCount) / Double(section.count) : 0
    let bar = ProgressBar(fraction: share, places: columns < 60 ? 10 : 20)
    let isFinished = section.count > 0 && section.openCount == 0
    row.addWhole("  \(bar.bar)", isFinished ? .green : .cyan)
    let (done, all) = (NumberText.grouped(section.doneCount), NumberText.grouped(section.count))
    row.add("  \(done) of \(all) done", .dim)
    return row.row
  }
}
