public import CommandShell

/// Parses words that name tasks.
///
/// Digits alone are a row, and an id with an `@` before them; in quotes they are a title like any
/// other.
extension TaskName {
  /// Parses a word.
  public init(_ word: ShellWord) throws(CommandError) {
    if word.text.first == "@", !word.isQuoted, ShellWord.isDigits(word.text.dropFirst()) {
      guard let id = TaskItem.ID(word.text.dropFirst()) else {
        throw CommandError(TaskError.noTask(word.text).description)
      }
      self = .id(id)
      return
    }
    let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
    if word.isQuoted || !parts.allSatisfy({ ShellWord.isDigits($0) || $0.isEmpty }) {
      guard ShellWord.isDigits(word.text.dropFirst()), word.text.first == "+", !word.isQuoted else {
        self = .title(word.text)
        return
      }
      throw .signedRow(word.text)
    }
    switch (parts.count, parts.first?.isEmpty, parts.last?.isEmpty) {
    case (1, false, _): self = .rows(try Self.row(parts[0])...(try Self.row(parts[0])))
    case (2, false, false):
      let (first, last) = (try Self.row(parts[0]), try Self.row(parts[1]))
      guard first <= last else { throw .backwards(first, last) }
      self = .rows(first...last)
    case (2, true, false): throw .signedRow(word.text)
    default: self = .title(word.text)
    }
  }

  /// Returns the row that digits name.
  public static func row(_ digits: some StringProtocol) throws(CommandError) -> Int {
    guard let row = Int(digits), row < .max else { throw .rowTooLarge(String(digits)) }
    guard row > 0 else { throw .rowZero }
    return row
  }
}

extension TaskReference {
  /// Parses a word that names one task.
  public init(_ word: ShellWord) throws(CommandError) {
    switch try TaskName(word) {
    case .rows(let range) where range.count == 1: self = .row(range.lowerBound)
    case .rows(let range): throw .oneOnly(range)
    case .id(let id): self = .id(id)
    case .title(let title): self = .title(title)
    }
  }
}

// MARK: Tasks

extension Parameter where Value == TaskReference {
  /// One task; the beginning of its title is one word, or quoted.
  public static func task(_ label: String = "N") -> Self {
    let info = ParameterInfo(
      label: label, meaning: "the number of a task", completing: .known(.tasks))
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      return try TaskReference(word, info, of: reader.command)
    }
  }

  /// One task, and nothing after it: the beginning of its title may be several words.
  public static var onlyTask: Self {
    let info = ParameterInfo(
      label: "N", meaning: "the number of a task", extent: .text, completing: .known(.tasks))
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      let first = try TaskReference(word, info, of: reader.command)
      guard case .title(let start) = first, let rest = reader.text() else { return first }
      return .title("\(start) \(rest)")
    }
  }
}

extension Parameter where Value == TaskSelection {
  /// One task or more, each named by one word.
  public static func tasks(done: Bool? = nil) -> Self {
    let info = ParameterInfo(
      label: "N", meaning: "the numbers of tasks", extent: .words,
      completing: .known(done.map { $0 ? .doneTasks : .openTasks } ?? .tasks))
    return Self(info: info) { reader throws(CommandError) in
      var names: [TaskName] = []
      while let word = reader.next() {
        guard !word.text.isBlank else { throw .notThat(word, for: info, of: reader.command) }
        names.append(try TaskName(word))
      }
      guard !names.isEmpty else { throw .missing(info, of: reader.command) }
      return TaskSelection(names)
    }
  }
}

extension TaskReference {
  /// Every title begins with the empty text, so a blank names no task.
  fileprivate init(
    _ word: ShellWord, _ info: ParameterInfo, of command: CommandInfo
  ) throws(CommandError) {
    guard !word.text.isBlank else { throw .notThat(word, for: info, of: command) }
    try self.init(word)
  }
}

extension Parameter where Value == Int {
  /// A row of the list; 1 by default.
  public static var firstRow: Self {
    let info = ParameterInfo(label: "N", meaning: "the number of a row", isOptional: true)
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { return 1 }
      guard !word.isQuoted, ShellWord.isDigits(word.text) else {
        var command = reader.command
        if let row = NumberName.row(grouped: word.text) { command.example = "list \(row)" }
        throw .notThat(word, for: info, of: command)
      }
      return try TaskName.row(word.text)
    }
  }
}

// MARK: Errors

extension CommandError {
  static let rowZero = Self("there is no row 0; rows are numbered from 1")

  static func rowTooLarge(_ digits: String) -> Self {
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

  /// An id that no task has.
  public static func noTask(_ id: String) -> Self {
    Self("there is no task \(shown(id)); 'list' shows the ids there are")
  }

  /// A row's number without a list on the screen: another command may have shown another list.
  public static func rowWithoutList(_ row: Int) -> Self {
    Self(
      "'\(row)' would be a row of a list on the screen, and there is none; name the task by "
        + "its id, which 'list' shows with an @, or by how its title begins")
  }

  /// The error for `3 4`: a row's number, and a word after it.
  public static func afterRow(_ row: Int, _ word: ShellWord) -> Self {
    Self("'\(shown(word.text))' is too much after a row's number; try '\(row)', or 'done \(row)'")
  }

  /// The error for `2-5` without a command.
  public static func rowsAlone(_ range: ClosedRange<Int>) -> Self {
    let rows = "\(range.lowerBound)-\(range.upperBound)"
    return Self("'\(rows)' names tasks, but no command; try 'done \(rows)'")
  }

  /// `TaskListDemo --jsno list`.
  public static func unknownProgramOption(_ option: String) -> Self {
    Self("unknown option '\(shown(option))'; '--help' lists the program's")
  }

  /// `TaskListDemo list --json`.
  public static func programOption(_ option: String, after command: String) -> Self {
    Self("'\(option)' is an option of the program; put it before '\(shown(command))'")
  }
}
