import CommandShell
import TaskStore

/// The commands of the list.
enum ListCommand: ShellCommand {
  case add(title: String, memo: String?, section: String?)
  /// Prints the rows, from a row on.
  case list(from: Int)
  case setDone(TaskSelection, Bool)
  /// A row's number alone: marks the task as done or open; in editing mode, opens the editor.
  case row(Int)
  case toggleEditing
  case edit(TaskReference)
  case new(title: String?)
  case rename(TaskReference, title: String)
  case memo(TaskReference, text: String?)
  case delete(TaskSelection)
  case move(TaskReference, to: TaskReference)
  case filter(TaskQuery.Filter)
  /// Empty to end the search.
  case search(String)
  /// One section; nil for all.
  case section(String?)
  case clearDone
  case undo, redo
  case refresh, statistics
  case exportFile(String)
  case importFile(String)
  /// Adds sample tasks.
  case sample
  case help(String?)
  case quit
}

extension ListCommand {
  static let table = CommandTable(
    changing + querying + others,
    hints: [
      "title": "'rename' changes a title", "save": "changes in the list are saved at once",
      "cancel": "'undo' takes a change back", "back": "'quit' leaves the program",
      "remove": "'delete' deletes tasks",
    ], shorthand: row)

  /// A row's number alone.
  private static let row: CommandTable<Self>.Shorthand = { words throws(CommandError) in
    guard let first = words.first, !first.isQuoted else { return nil }
    guard ShellWord.isDigits(first.text) else {
      guard case .rows(let range)? = try? TaskName(first) else { return nil }
      throw .rowsAlone(range)
    }
    let number = try TaskName.row(first.text)
    guard words.count == 1 else { throw .afterRow(number, words[1]) }
    return .row(number)
  }

  private static let changing: [CommandSpec<Self>] = [
    CommandSpec(
      "add", .title(), .option("memo", mayBeBlank: true), .sectionOption,
      summary: "add a task at the end of a section",
      details: """
        A title needs quotes only if it has quotes, backslashes or double blanks;
        a memo or a section, if it is several words. A new section is made.
        """, example: #"add Buy milk --memo "two litres" --section Home"#
    ) { .add(title: $0, memo: $1, section: $2) },
    CommandSpec(
      "done", .tasks(done: false), summary: "mark tasks as done",
      details: naming, example: #"done 2 4-6 "Buy m""#
    ) { .setDone($0, true) },
    CommandSpec(
      "open", .tasks(done: true), summary: "mark tasks as not done", details: naming,
      example: "open 2"
    ) { .setDone($0, false) },
    CommandSpec(
      "rename", .task(), .title(ofTask: true), summary: "give a task another title",
      details: "Tab after N fills in the title that it has, to be changed.",
      example: "rename 2 Buy oat milk"
    ) { .rename($0, title: $1) },
    CommandSpec(
      "memo", .task(), .textOrNone("TEXT", "a text"), summary: "set or clear a task's memo",
      example: "memo 2 two litres"
    ) { .memo($0, text: $1) },
    CommandSpec(
      "move", .task("N"), .task("M"), summary: "move a task to the place of another",
      details: "The other one moves down if the task comes from below, else up.",
      example: "move 3 1"
    ) { .move($0, to: $1) },
    CommandSpec(
      "delete", .tasks(), aliases: ["rm"], summary: "delete tasks", details: naming,
      example: "delete 2 4-6"
    ) { .delete($0) },
    CommandSpec(
      "clear", .choice(["done"]), summary: "delete all tasks that are done",
      details: "Those of the section on show, or of all sections.", example: "clear done"
    ) { _ in .clearDone },
    CommandSpec(
      "undo", summary: "take the last change back", details: "Up to 100, even of earlier runs."
    ) { .undo },
    CommandSpec("redo", summary: "make the change again that was undone") { .redo },
  ]

  private static let querying: [CommandSpec<Self>] = [
    CommandSpec(
      "list", .firstRow, aliases: ["ls"], summary: "show the tasks, from row N on",
      details: "PgUp and PgDn turn the pages of a list that is on the screen.", example: "list 20"
    ) { .list(from: $0) },
    CommandSpec(
      "filter", .choice(TaskQuery.Filter.allCases.map(\.rawValue)),
      summary: "show these tasks only", example: "filter open"
    ) { .filter(TaskQuery.Filter(rawValue: $0) ?? .all) },
    CommandSpec(
      "search", .textOrNone("TEXT", "words"), summary: "show what has these words in it",
      details: "Each begins a word of the title or the memo. Without TEXT, show all.",
      example: "search buy mi"
    ) { .search($0 ?? "") },
    CommandSpec(
      "section", .section, summary: "show one section; without NAME, all", example: "section Home"
    ) { .section($0) },
    CommandSpec("refresh", summary: "read everything again") { .refresh },
  ]

  private static let others: [CommandSpec<Self>] = [
    CommandSpec(
      "edit", .onlyTask, summary: "open a task in the editor", example: "edit 2"
    ) { .edit($0) },
    CommandSpec(
      "new", .optionalText("TITLE", "a title"), summary: "open the editor for a new task",
      example: "new Buy milk"
    ) { .new(title: $0) },
    CommandSpec(
      "editing", summary: "switch what a row's number does",
      details: """
        A row's number alone, such as 3, marks the task as done, or as open again.
        In editing mode it opens the task in the editor.
        """
    ) { .toggleEditing },
    CommandSpec("stats", summary: "show how many are done, by section") { .statistics },
    CommandSpec(
      "export", .file, summary: "write all tasks to a JSON file",
      details: "Of a single command, - is standard output.", example: "export tasks.json"
    ) { .exportFile($0) },
    CommandSpec(
      "import", .file, summary: "add the tasks of such a file, or none",
      details: "Of a single command, - is standard input.",
      example: "import tasks.json"
    ) { .importFile($0) },
    CommandSpec("demo", summary: "add a few tasks to try things out with") { .sample },
    CommandSpec("help", .command, summary: "list the commands, or explain one", example: "help add")
    {
      .help($0)
    },
    CommandSpec("quit", aliases: ["exit", "q"], summary: "leave (so does Ctrl-D)") { .quit },
  ]

  private static let naming = """
    N is the number of a row, or how a title begins, if no other begins so.
    2-5 are four rows. In quotes, digits are a title. @17 is the task with that
    id, on whatever list: what a single command goes by instead of rows.
    """
}

extension Parameter where Value == String {
  /// A title: the rest of the line, not blank.
  static func title(ofTask: Bool = false) -> Self {
    .text("TITLE", "a title", completing: ofTask ? .known(.titleOfTask) : .nothing)
  }
}

extension Parameter where Value == String? {
  /// The name of a section: the rest of the line.
  static var section: Self {
    .optionalText("NAME", "a section's name", completing: .known(.sections))
  }

  /// The section of a new task: `--section NAME`.
  static var sectionOption: Self {
    .option("section", "NAME", "a section's name", completing: .known(.sections))
  }
}
