public import CommandShell

/// What Tab can offer that only this program knows.
extension CompletionSource {
  /// Names of tasks.
  public static let tasks: Self = "tasks"
  /// Names of tasks that are open.
  public static let openTasks: Self = "open tasks"
  /// Names of tasks that are done.
  public static let doneTasks: Self = "done tasks"
  /// Names of sections.
  public static let sections: Self = "sections"
  /// The title of the task that the word before it names, to be changed.
  public static let titleOfTask: Self = "title of the task"
}

/// What Tab offers on the list: titles are quoted where they must be, and the number of the row
/// stands for a title that would not do.
public struct TaskCompletion: Sendable {
  /// A row of the list.
  public struct Row: Equatable, Sendable {
    /// From 1; nil for one that is not on the screen, where its id stands for it.
    var number: Int?
    var title: String
    var isDone = false
    var id: TaskItem.ID = 0

    /// A row of the list, or a task that is on no row.
    public init(number: Int? = nil, title: String, isDone: Bool = false, id: TaskItem.ID = 0) {
      (self.number, self.title, self.isDone, self.id) = (number, title, isDone, id)
    }
  }

  /// Tasks that are not on the screen.
  public struct Others: Sendable {
    var rows: [Row] = []
    /// Whether there are no more of that name.
    var areAll = true

    /// Tasks that were found.
    public init(rows: [Row] = [], areAll: Bool = true) {
      (self.rows, self.areAll) = (rows, areAll)
    }
  }

  /// The commands of the screen.
  public var commands: [CommandInfo]
  /// The names of the sections.
  public var sections: [String]
  /// The rows of the list that is on the screen.
  public var rows: [Row]
  /// What else there is by a name: tasks that are not on the screen, all or done or open ones.
  public var lookUp: @Sendable (TaskReference, _ done: Bool?) -> Others
  /// Lists the names in a directory.
  public var files: CommandCompletion.FileLister

  /// What Tab offers for these commands.
  public init(
    commands: [CommandInfo], sections: [String] = [], rows: [Row] = [],
    lookUp: @escaping @Sendable (TaskReference, _ done: Bool?) -> Others = { _, _ in Others() },
    files: @escaping CommandCompletion.FileLister = { _ in [] }
  ) {
    (self.commands, self.sections, self.rows) = (commands, sections, rows)
    (self.lookUp, self.files) = (lookUp, files)
  }

  /// What the console asks.
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

  /// What the end of a line, up to the cursor, could become.
  public func completion(of line: String) -> LineCompletion { ofCommands.completion(of: line) }

  /// Rows by what has been typed of their titles, of their numbers, or of their ids.
  private func tasks(done: Bool?, typed: String) -> [CompletionOffer] {
    let others = others(typed, done)
    let all = rows + others.rows
    let wanted = all.filter { row in done.map { row.isDone == $0 } ?? true }
    let titles = Dictionary(all.map { ($0.title, 1) }, uniquingKeysWith: +)
    return wanted.compactMap { row in
      var offer = offer(row, typed: typed, isOnly: titles[row.title] == 1)
      // What these have in common, those that are left out may not have.
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

  /// The rows that are not on the screen, of a name that has been begun.
  private func others(_ typed: String, _ done: Bool?) -> Others {
    guard !typed.isEmpty else { return Others() }
    var found = lookUp(.title(typed), done)
    if let id = TaskItem.ID(typed.dropFirst()), typed.first == "@" {
      found.rows += lookUp(.id(id), done).rows
    }
    found.rows.removeAll { row in rows.contains { $0.id == row.id } }
    return found
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

  /// The number of its row, or its id.
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

  private static func readsAsItself(_ text: String) -> Bool {
    guard let words = try? ShellWords.split(text) else { return false }
    return words.allSatisfy { !$0.isQuoted && !$0.looksLikeOption }
      && words.map(\.text).joined(separator: " ").utf8.elementsEqual(text.utf8)
  }
}
