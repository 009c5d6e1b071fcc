extension CommandError {
  static let rowZero = Self("there is no row 0; rows are numbered from 1")

  static func hugeRow(_ digits: String) -> Self {
    Self("there is no row \(shown(digits)); 'list' shows the rows there are")
  }

  static func signedRow(_ word: String) -> Self {
    Self("'\(shown(word))' is no row: rows are numbered from 1; quote it if it begins a title")
  }

  static func backwards(_ first: Int, _ last: Int) -> Self {
    Self("\(first)-\(last) runs backwards; try '\(last)-\(first)'")
  }

  static func oneOnly(_ range: ClosedRange<Int>) -> Self {
    Self(
      "\(range.lowerBound)-\(range.upperBound) is several rows where one is wanted; "
        + "try '\(range.lowerBound)', or quote it if it begins a title")
  }

  /// A row that the list does not have.
  static func noRow(_ row: Int, of count: Int) -> Self {
    switch count {
    case 0: Self("there is no row \(row): the list is empty; 'add' adds a task")
    case 1: Self("there is no row \(row); the list has one, row 1")
    default: Self("there is no row \(row); the list has rows 1 to \(count)")
    }
  }

  /// A beginning that no title in the list has.
  static func noTitle(_ prefix: String) -> Self {
    Self(
      "no task in the list begins with '\(shown(prefix))'; 'list' shows them "
        + "(a title of several words goes in quotes)")
  }

  /// A beginning that several titles have.
  static func ambiguousTitle(_ prefix: String, _ tasks: [TaskItem]) -> Self {
    let examples = tasks.prefix(2).map { "'\(shown($0.title))' (\(TaskName.text(of: $0.id)))" }
    return Self(
      "'\(shown(prefix))' could be "
        + "\(examples.joined(separator: ", "))\(tasks.count > 2 ? " …" : "");"
        + " type more of the title, or the id")
  }

  /// An id that no task has.
  static func noTask(_ id: String) -> Self {
    Self("there is no task \(shown(id)); 'list' shows the ids there are")
  }

  /// A row's number where no list is on the screen: another command may have shown another list.
  static func rowWithoutList(_ row: Int) -> Self {
    Self(
      "'\(row)' would be a row of a list on the screen, and there is none; name the task by "
        + "its id, which 'list' shows with an @, or by how its title begins")
  }
}
