import CommandShell
import ReactorREPL

/// The editor of one task on a terminal: its fields, the available commands, and its question.
struct EditorScreenView {
  /// The heading: `New task`, `Edit task`.
  var heading: String
  var title: String
  var memo: String?
  /// The section that the task is in, or will be added to.
  var section: String?
  /// The task's id as commands accept it: `@4`.
  var id: String?
  /// Whether the task is stored in the database.
  var isStored = true
  /// Whether leaving now would lose changes.
  var isChanged = false
  /// Whether there is a title to save.
  var canSave = true
  /// Whether the user was asked if the changes may be lost.
  var asksToLeave = false
  var status = ScreenStatus()

  /// The question; its answers are commands.
  static let question = "Really? All changes will be lost: leave or stay"

  /// The rows, no more than `height` and none wider than `columns`.
  func rows(columns: Int, height: Int) -> [StyledText] {
    guard height > 0 else { return [] }
    let below = [asksToLeave ? questionRow(columns) : hintRow(columns)]
    let statusRow = status.row(columns: columns)
    let fixed = [titleBar(columns), titleRow(columns)]
    let room = height - fixed.count - below.count - 1
    let rows = fixed + memoRows(columns: columns, height: max(0, room)) + below + [statusRow]
    guard rows.count > height else { return rows }
    // In a very low window: first the question, then the task.
    return Array((asksToLeave ? below + fixed : fixed + below).prefix(height))
  }

  private func titleBar(_ columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(heading, .bold)
    if let section { row.add(" · \(section)", .cyan) }
    if let id { row.add(" · \(id)", .dim) }
    if isChanged {
      row.addRight("not saved", .yellow)
    } else if isStored {
      row.addRight("saved", .dim)
    }
    return row.row
  }

  private func titleRow(_ columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add("title: ", .dim)
    if title.isEmpty { row.add("none yet", .dim) } else { row.add(title) }
    return row.row
  }

  /// The memo's lines, each truncated at the window's edge.
  ///
  /// If not all fit, the last row says how many more there are.
  private func memoRows(columns: Int, height: Int) -> [StyledText] {
    guard height > 0 else { return [] }
    let lines = (memo ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let shown = lines.count > height ? lines.prefix(height - 1) : lines[...]
    var rows = shown.enumerated().map { index, line in
      var row = RowBuilder(columns: columns)
      row.add(index == 0 ? "memo:  " : "       ", .dim)
      if memo == nil { row.add("none", .dim) } else { row.add(String(line)) }
      return row.row
    }
    if shown.count < lines.count {
      let rest = NumberText.counted(lines.count - shown.count, "more line")
      rows.append(RowBuilder.row("       … \(rest)", .dim, columns: columns))
    }
    return rows
  }

  private func questionRow(_ columns: Int) -> StyledText {
    RowBuilder.row(Self.question, [.bold, .yellow], columns: columns)
  }

  private func hintRow(_ columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(canSave ? "title TEXT · memo TEXT · save · cancel" : "title TEXT · memo TEXT · cancel")
    if !canSave { row.add(" (a title is needed to save)", .dim) }
    return row.row
  }
}
