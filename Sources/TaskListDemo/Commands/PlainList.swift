/// The list as lines of plain text, for pipes: `1. [ ] Buy milk`.
enum PlainList {
  /// A page, row by row; under headings if there is more than one section.
  ///
  /// Rows are numbered through all sections, as commands count them. `last` is the section of the row
  /// before the page, whose heading is there already.
  static func lines(
    of page: TaskPage, isOneSection: Bool = false, after last: TaskSection.ID? = nil
  ) -> [String] {
    let hasHeadings = !isOneSection && page.sections.count > 1
    let names = Dictionary(page.sections.map { ($0.id, $0.name) }) { first, _ in first }
    var lines: [String] = []
    var section = last
    for (index, task) in page.tasks.enumerated() {
      if hasHeadings, task.sectionID != section {
        section = task.sectionID
        lines.append("# \(CommandError.harmless(names[task.sectionID] ?? ""))")
      }
      lines.append(row(page.offset + index + 1, task))
    }
    return lines
  }

  static func row(_ number: Int, _ task: TaskItem) -> String {
    "\(number). [\(task.isDone ? "x" : " ")] \(CommandError.harmless(task.title))"
  }
}
