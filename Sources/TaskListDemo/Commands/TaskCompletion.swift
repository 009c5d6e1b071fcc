import CommandShell

/// What Tab can offer that only this program knows.
extension CompletionSource {
  static let tasks: Self = "tasks"
  static let openTasks: Self = "open tasks"
  static let doneTasks: Self = "done tasks"
  static let sections: Self = "sections"
  /// The title of the task that the word before it names, to be changed.
  static let titleOfTask: Self = "title of the task"
}

/// What Tab offers on the list: titles are quoted where they must be, and the number of the row
/// stands for a title that would not do.
struct TaskCompletion: Sendable {
  /// A row of the list.
  struct Row: Equatable, Sendable {
    /// From 1.
    var number: Int
    var title: String
    var isDone = false
    var id: TaskItem.ID = 0
  }

  var commands: [CommandInfo] = ListCommand.table.infos
  var sections: [String] = []
  /// The rows of the list that is on the screen.
  var rows: [Row] = []
  var files: CommandCompletion.FileLister = { _ in [] }

  /// What the console asks.
  var ofCommands: CommandCompletion {
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

  /// What the end of a line, up to the cursor, could become.
  func completion(of line: String) -> LineCompletion { ofCommands.completion(of: line) }

  /// Rows by what has been typed of their titles, of their numbers, or of their ids.
  private func tasks(done: Bool?, typed: String) -> [CompletionOffer] {
    let wanted = rows.filter { row in done.map { row.isDone == $0 } ?? true }
    let titles = Dictionary(rows.map { ($0.title, 1) }, uniquingKeysWith: +)
    return wanted.compactMap { row in
      if ShellWord.isDigits(typed), "\(row.number)".hasPrefix(typed) {
        return Self.number(of: row)
      }
      let id = TaskName.text(of: row.id)
      if typed.hasPrefix("@"), id.hasPrefix(typed) { return Self.id(id, of: row) }
      guard CommandCompletion.begins(row.title, with: typed) else { return nil }
      let isOnly = titles[row.title] == 1
      if isOnly, CommandCompletion.isTypeable(row.title) { return Self.title(of: row) }
      var number = Self.number(of: row)
      number.isStandIn = true
      return number
    }
  }

  /// The title as it is, for a person who wants to change it.
  private func title(of word: ShellWord?, typed: String) -> [CompletionOffer] {
    guard let word, let row = row(named: word), CommandCompletion.isTypeable(row.title),
      CommandCompletion.begins(row.title, with: typed)
    else { return [] }
    var offer = CompletionOffer(row.title)
    // It is the rest of the line, and needs no quotes unless it would change without them.
    offer.isVerbatim = Self.readsAsItself(row.title)
    return [offer]
  }

  private func row(named word: ShellWord) -> Row? {
    switch try? TaskReference(word) {
    case .row(let number): return rows.first { $0.number == number }
    case .id(let id): return rows.first { $0.id == id }
    case .title(let start):
      let begun = rows.filter { CommandCompletion.begins($0.title, with: start) }
      return begun.first { $0.title == start } ?? (begun.count == 1 ? begun.first : nil)
    case nil: return nil
    }
  }

  private static func number(of row: Row) -> CompletionOffer {
    var offer = CompletionOffer("\(row.number)", label: label(row))
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
    "\(row.number). \(CommandError.shown(row.title))"
  }

  private static func readsAsItself(_ text: String) -> Bool {
    guard let words = try? ShellWords.split(text) else { return false }
    return words.allSatisfy { !$0.isQuoted && !$0.looksLikeOption }
      && words.map(\.text).joined(separator: " ").utf8.elementsEqual(text.utf8)
  }
}
