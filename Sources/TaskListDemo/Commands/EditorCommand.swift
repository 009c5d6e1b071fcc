import CommandShell

/// The commands of the editor.
enum EditorCommand: ShellCommand {
  case title(String)
  /// Nil clears the memo.
  case memo(String?)
  case save
  /// Leaves the editor; asks first if changes would be lost.
  case cancel
  /// The two answers to that question.
  case leave, stay
  case show, statistics
}

extension EditorCommand {
  static let table = CommandTable<Self>(
    [
      CommandSpec("title", .title(), summary: "set the title", example: "title Buy milk") {
        .title($0)
      },
      CommandSpec(
        "memo", .textOrNone("TEXT", "a text"), summary: "set the memo, or clear it",
        example: "memo two litres"
      ) { .memo($0) },
      CommandSpec("save", summary: "keep the changes and go back") { .save },
      CommandSpec(
        "cancel", aliases: ["back"], summary: "go back without saving",
        details: "If there are changes, it asks whether to leave or to stay."
      ) { .cancel },
      CommandSpec("leave", aliases: ["yes", "y"], summary: "yes, lose the changes and go back") {
        .leave
      },
      CommandSpec("stay", aliases: ["no", "n"], summary: "no, stay here") { .stay },
      CommandSpec("show", summary: "show the task as it would be saved") { .show },
      CommandSpec("stats", summary: "show how many are done, by section") { .statistics },
    ],
    hints: ["rename": "'title' sets the title"].merging(
      ListCommand.table.names(returningBy: "'save' or 'cancel' leads back to the list")
    ) { own, _ in own })
}

/// The commands of the statistics.
enum StatisticsCommand: ShellCommand {
  case refresh, back
}

extension StatisticsCommand {
  static let table = CommandTable<Self>(
    [
      CommandSpec("refresh", summary: "count again") { .refresh },
      CommandSpec("back", summary: "go back") { .back },
    ],
    hints: ListCommand.table.names(returningBy: "'back' leads to the list, which has it"))
}

extension CommandTable {
  /// Hints for this screen's commands, for a screen that opened on top of it.
  fileprivate func names(returningBy hint: String) -> [String: String] {
    Dictionary(infos.flatMap(\.names).map { ($0, hint) }) { first, _ in first }
  }
}
