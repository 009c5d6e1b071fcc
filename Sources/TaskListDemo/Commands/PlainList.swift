/// How a printed list names its tasks.
enum TaskNaming: Equatable, Sendable {
  /// By their rows, in a conversation, which has that list.
  case rows
  /// By their ids: the next command is another program.
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
  /// A page, row by row; under headings if there is more than one section.
  ///
  /// Rows are numbered through all sections, as commands count them. `last` is the section of the
  /// row before the page, whose heading is there already.
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

  /// The same, each line made by whoever knows how it is to look.
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
