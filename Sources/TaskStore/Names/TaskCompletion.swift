public import CommandShell

/// The values that this program offers for completion.
extension CompletionSource {
  /// Names of tasks.
  public static let tasks: Self = "tasks"
  /// Names of tasks that are open.
  public static let openTasks: Self = "open tasks"
  /// Names of tasks that are done.
  public static let doneTasks: Self = "done tasks"
  /// Names of sections.
  public static let sections: Self = "sections"
  /// The title of the task named by the previous word, for editing.
  public static let titleOfTask: Self = "title of the task"
}

/// The completion for the list: titles are quoted where necessary, and a row's number replaces a
/// title that is ambiguous or cannot be typed.
public struct TaskCompletion: Sendable {
  /// A row of the list.
  public struct Row: Equatable, Sendable {
    /// From 1; nil for a row that is not on the screen, which is named by its id.
    var number: Int?
    var title: String
    var isDone = false
    var id: TaskItem.ID = 0

    /// Creates a row of the list, or a task that is not in the list.
    public init(number: Int? = nil, title: String, isDone: Bool = false, id: TaskItem.ID = 0) {
      (self.number, self.title, self.isDone, self.id) = (number, title, isDone, id)
    }
  }

  /// Tasks that are not on the screen.
  public struct Others: Sendable {
    var rows: [Row] = []
    /// Whether there are no more tasks of that name.
    var areAll = true

    /// Creates a result with the tasks that were found.
    public init(rows: [Row] = [], areAll: Bool = true) {
      (self.rows, self.areAll) = (rows, areAll)
    }
  }

  /// The commands of the screen.
  public var commands: [CommandInfo]
  /// The names of the sections.
  public var sections: [String]
  /// The rows of the list on the screen.
  public var rows: [Row]
  /// Finds tasks by name that are not on the screen: all, done or open ones.
  public var lookUp: @Sendable (TaskReference, _ done: Bool?) -> Others
  /// Lists the names in a directory.
  public var files: CommandCompletion.FileLister

  /// Creates the completion of these commands.
  public init(
    commands: [CommandInfo], sections: [String] = [], rows: [Row] = [],
    lookUp: @escaping @Sendable (TaskReference, _ done: Bool?) -> Others = { _, _ in Others() },
    files: @escaping CommandCompletion.FileLister = { _ in [] }
  ) {
    (self.commands, self.sections, self.rows) = (commands, sections, rows)
    (self.lookUp, self.files) = (lookUp, files)
  }

  /// The completion in the form that the console uses.
  public var ofCommands: CommandCompletion {
    CommandCompletion(
      commands: commands, files: files,
      isPartOfText: { !$0.isQuoted && (try? TaskName($0)) == .title($0.text) },
      known: { source, typed, previous in
        switch source {
        case .tasks: tasks(done: nil, typed: typed)
        case .openTasks: tasks(done: false, typed: typed)
        case .doneTasks: tasks(done: true, typed: typed)
        case .titleOfTask: title(of: previous, typed: typed)
        case .sections:
          CommandCompletion.words(
            sections.filter(CommandCompletion.isTypeable), beginningWith: typed)
        default: []
        }
      })
  }

  /// Returns what the end of a line, up to the cursor, could become.
  public func completion(of line: String) -> LineCompletion { ofCommands.completion(of: line) }

  /// Returns rows whose title, number or id begins with the typed text.
  private func tasks(done: Bool?, typed: String) -> [CompletionOffer] {
    let others = others(typed, done)
    let all = rows + others.rows
    let wanted = all.filter { row in done.map { row.isDone == $0 } ?? true }
    let titles = Dictionary(all.map { ($0.title, 1) }, uniquingKeysWith: +)
    return wanted.compactMap { row in
      var offer = offer(row, typed: typed, isOnly: titles[row.title] == 1)
      // The omitted rows may not share what these have in common.
      if !others.areAll { offer?.isStandIn = true }
      return offer
    }
  }

  private func offer(_ row: Row, typed: String, isOnly: Bool) -> CompletionOffer? {
    if ShellWord.isDigits(typed), let number = row.number, "\(number)".hasPrefix(typed) {
      return Self.name(of: row)
    }
    let id = TaskName.text(of: row.id)
    if typed.hasPrefix("@"), id.hasPrefix(typed) { return Self.id(id, of: row) }
    guard CommandCompletion.begins(row.title, with: typed) else { return nil }
    if isOnly, CommandCompletion.isTypeable(row.title) { return Self.title(of: row) }
    var name = Self.name(of: row)
    name.isStandIn = true
    return name
  }

  /// Returns the matching rows that are not on the screen.
  private func others(_ typed: String, _ done: Bool?) -> Others {
    guard !typed.isEmpty else { return Others() }
    var found = lookUp(.title(typed), done)
    if let id = TaskItem.ID(typed.dropFirst()), typed.first == "@" {
      found.rows += lookUp(.id(id), done).rows
    }
    found.rows.removeAll { row in rows.contains { $0.id == row.id } }
    return found
  }

  /// The current title, for editing.
  private func title(of word: ShellWord?, typed: String) -> [CompletionOffer] {
    guard let word, let row = row(named: word), CommandCompletion.isTypeable(row.title),
      CommandCompletion.begins(row.title, with: typed)
    else { return [] }
    var offer = CompletionOffer(row.title)
    // The title is the rest of the line, and needs quotes only if it would change without them.
    offer.isVerbatim = Self.parsesUnchanged(row.title)
    return [offer]
  }

  private func row(named word: ShellWord) -> Row? {
    guard let name = try? TaskReference(word) else { return nil }
    switch name {
    case .row(let number):
      return rows.first { $0.number == number } ?? lookUp(name, nil).rows.first
    case .id(let id): return rows.first { $0.id == id } ?? lookUp(name, nil).rows.first
    case .title(let start):
      let others = others(start, nil)
      let begun = (rows + others.rows).filter { CommandCompletion.begins($0.title, with: start) }
      return begun.first { $0.title == start }
        ?? (begun.count == 1 && others.areAll ? begun.first : nil)
    }
  }

  /// The number of the row, or the task's id.
  private static func name(of row: Row) -> CompletionOffer {
    var offer = CompletionOffer(
      row.number.map(String.init) ?? TaskName.text(of: row.id), label: label(row))
    offer.isVerbatim = true
    return offer
  }

  private static func id(_ id: String, of row: Row) -> CompletionOffer {
    var offer = CompletionOffer(id, label: "\(id) \(CommandError.shown(row.title))")
    offer.isVerbatim = true
    return offer
  }

  private static func title(of row: Row) -> CompletionOffer {
    var offer = CompletionOffer(row.title, label: label(row))
    // `2` without quotes would be a row.
    let name = try? ShellWords.split(row.title).first.map { try TaskName($0) }
    offer.needsQuotes = offer.needsQuotes || name != .title(row.title)
    return offer
  }

  private static func label(_ row: Row) -> String {
    let name = row.number.map { "\($0)." } ?? TaskName.text(of: row.id)
    return "\(name) \(CommandError.shown(row.title))"
  }

  private static func parsesUnchanged(_ text: String) -> Bool {
    guard let words = try? ShellWords.split(text) else { return false }
    return words.allSatisfy { !$0.isQuoted && !$0.looksLikeOption }
      && words.map(\.text).joined(separator: " ").utf8.elementsEqual(text.utf8)
  }
}
