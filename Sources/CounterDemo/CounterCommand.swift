import ReactorREPL

/// The commands of the program, in addition to `help` and `quit`.
enum CounterCommand: ShellCommand {
  case send(CounterReactor.Action), undo, redo, show
  /// `history` lists that many of the newest changes; `at` shows the counter after a change.
  case history(Int), at(Int)

  /// All commands: parsing, error messages, help and completion use this table.
  static let table = CommandTable<Self>(
    [
      CommandSpec(
        "+", amount, aliases: ["increase"], summary: "add N (1) after the delay", example: "+ 5"
      ) { .send(.increase(by: $0)) },
      CommandSpec(
        "-", amount, aliases: ["decrease"], summary: "take N (1) away after the delay",
        example: "- 5"
      ) { .send(.decrease(by: $0)) },
      CommandSpec("set", .number(), summary: "set the value at once", example: "set 5") {
        .send(.set($0))
      },
      CommandSpec("reset", summary: "set the value to 0 at once") { .send(.reset) },
      CommandSpec("undo", summary: "take the newest change back, up to a hundred") { .undo },
      CommandSpec("redo", summary: "make the change again that was taken back last") { .redo },
      CommandSpec(
        "history", .number(in: 0...Int.max, absent: 20), summary: "list the newest N (20) changes",
        example: "history 5"
      ) { .history($0) },
      CommandSpec(
        "at", .number(in: 0...Int.max), summary: "print the value after change N",
        details: "'history' has the numbers; 0 is the beginning.", example: "at 5"
      ) { .at($0) },
      CommandSpec("show", summary: "print the current line again") { .show },
    ], shorthand: forgottenBlank)

  /// The amount; 1 by default.
  private static let amount = Parameter<Int>.number(in: 0...Int.max, absent: 1)

  /// The help, as the program's options print it.
  static let helpText: String = (try? table.withHelpAndQuit.help(about: nil)) ?? ""

  /// `+5` is clear to most readers, but `-5` could also be a value to set.
  private static let forgottenBlank: CommandTable<Self>.Shorthand = { words throws(CommandError) in
    guard let word = words.first?.text, let sign = word.first, "+-".contains(sign),
      ShellWord.isDigits(word.dropFirst())
    else { return nil }
    let (shown, number) = (CommandError.shown(word), CommandError.shown("\(word.dropFirst())"))
    throw CommandError("unknown command '\(shown)'; try '\(sign) \(number)'")
  }
}
