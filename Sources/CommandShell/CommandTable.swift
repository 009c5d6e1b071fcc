/// What a line can mean, as a type: made from one table.
///
/// ```swift
/// enum Command: ShellCommand {
///   case add(Int), reset
///
///   static let table = CommandTable<Self>([
///     CommandSpec("add", .number(), summary: "add N", example: "add 5") { .add($0) },
///     CommandSpec("reset", summary: "begin at 0 again") { .reset },
///   ])
/// }
/// ```
public protocol ShellCommand: Equatable, Sendable {
  /// All that can be asked for.
  static var table: CommandTable<Self> { get }
}

extension ShellCommand {
  /// What a line asks for; nil for a line with nothing in it.
  public init?(line: String) throws(CommandError) {
    guard let command = try Self.table.command(ShellWords.split(line)) else { return nil }
    self = command
  }

  /// What the arguments of a program ask for; a shell has split them already.
  public init?(arguments: [String]) throws(CommandError) {
    let words = arguments.map(ShellWord.init(argument:))
    guard let command = try Self.table.command(words) else { return nil }
    self = command
  }
}

/// A command: what can be told of it, and how words become it.
public struct CommandSpec<Command: Sendable>: Sendable {
  /// What can be told of it.
  public var info: CommandInfo
  var read: @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Command

  /// A command that takes these parameters, in this order.
  ///
  /// One that takes the rest of the line has to be the last of those that are typed at their place;
  /// where it is not, that is said as the table is made.
  ///
  /// - Parameters:
  ///   - name: What it is called, in small letters: lines may use large ones.
  ///   - parameters: What it takes.
  ///   - aliases: Other names for the same.
  ///   - summary: What it does, in a few words.
  ///   - details: What its own help says beyond that.
  ///   - example: A line that would do; its name if it takes nothing.
  ///   - make: The command from what was typed.
  public init<each Value: Sendable>(
    _ name: String, _ parameters: repeat Parameter<each Value>, aliases: [String] = [],
    summary: String, details: String = "", example: String? = nil,
    make: @escaping @Sendable (repeat each Value) -> Command
  ) {
    info = CommandInfo(
      name: name, aliases: aliases, summary: summary, details: details, example: example ?? name)
    for parameter in repeat each parameters { info.parameters.append(parameter.info) }
    if let place = info.places.firstIndex(where: { $0.extent != .word }),
      info.places[(place + 1)...].contains(where: { !$0.isOptional })
    {
      let greedy = info.places[place]
      preconditionFailure(
        "'\(name)' takes the rest of the line for \(greedy.label), so nothing can be typed after "
          + "it; put that last, or make it one word: .word(\"\(greedy.label)\")")
    }
    read = { reader throws(CommandError) in
      make(repeat try (each parameters).take(&reader))
    }
  }
}

/// What other programs call commands that nearly every table has: understood, and not offered.
private let namesElsewhere = ["?": "help", ":q": "quit"]

/// The commands of a screen; parsing, complaints, help and completion are all made from it.
public struct CommandTable<Command: Sendable>: Sendable {
  /// What words mean that begin with no command's name; nil if they are to be looked up.
  public typealias Shorthand =
    @Sendable (_ words: [ShellWord]) throws(CommandError) -> Command?

  /// The commands, in the order in which help lists them.
  public var commands: [CommandSpec<Command>]
  /// Asked first: a number alone may mean a row.
  public var shorthand: Shorthand?
  /// What to do instead of what is no command here: another screen's, or another program's.
  public var hints: [String: String]

  /// A table of these commands.
  public init(
    _ commands: [CommandSpec<Command>], hints: [String: String] = [:], shorthand: Shorthand? = nil
  ) {
    self.commands = commands
    self.hints = hints
    self.shorthand = shorthand
  }

  /// What can be told of each.
  public var infos: [CommandInfo] { commands.map(\.info) }

  /// What words ask for; nil if there are none.
  public func command(_ words: [ShellWord]) throws(CommandError) -> Command? {
    guard let first = words.first else { return nil }
    if let command = try shorthand?(words) { return command }
    guard let spec = spec(named: first.text) else { throw unknown(first.text) }
    var reader = try ArgumentReader(words.dropFirst(), of: spec.info)
    let command = try spec.read(&reader)
    try reader.end()
    return command
  }

  /// The command of a name, whatever the case of its letters: no two differ by that alone.
  public func info(named name: String) -> CommandInfo? { spec(named: name)?.info }

  private func spec(named name: String) -> CommandSpec<Command>? {
    let name = name.lowercased()
    return commands.first { $0.info.names.contains(name) }
      ?? namesElsewhere[name].flatMap { name in commands.first { $0.info.name == name } }
  }

  /// Why a name is no command's.
  public func unknown(_ name: String) -> CommandError {
    if let hint = hints[name.lowercased()] { return .noCommandHere(name.lowercased(), hint) }
    // Whatever is typed is near to a name of one or two letters.
    let names = infos.flatMap(\.names).filter { $0.count > 2 }
    return .unknownCommand(name, near: NearbyWords.suggestions(for: name, among: names))
  }
}

// MARK: Help

extension CommandTable {
  /// What is said about one command, or about all of them.
  ///
  /// In a narrow window, what a command does stands below it.
  public func help(about name: String?, columns: Int = 80) throws(CommandError) -> String {
    guard let name else { return overview(columns) }
    guard let info = info(named: name) else { throw unknown(name) }
    return Self.help(info)
  }

  /// Every command with what it does, a line each if they fit.
  private func overview(_ columns: Int) -> String {
    let width = infos.map(\.usage.count).max() ?? 0
    guard width + 2 + (infos.map(\.summary.count).max() ?? 0) <= columns else {
      return infos.map { "\($0.usage)\n  \($0.summary)" }.joined(separator: "\n")
    }
    return infos.map { info in
      info.usage + String(repeating: " ", count: width - info.usage.count + 2) + info.summary
    }
    .joined(separator: "\n")
  }

  private static func help(_ info: CommandInfo) -> String {
    var lines = [info.usage, "  \(info.summary)"]
    lines += info.details.split(separator: "\n").map { "  \($0)" }
    if info.example != info.name { lines.append("  For example: \(info.example)") }
    return lines.joined(separator: "\n")
  }
}

// MARK: What every table understands

/// A command of a table, or one of those that a console adds to each.
public enum ConsoleCommand<Own: Sendable>: Sendable {
  /// The table's own.
  case own(Own)
  /// To be told about all commands, or about one.
  case help(String?)
  /// To leave.
  case quit
}

extension ConsoleCommand: Equatable where Own: Equatable {}

extension CommandTable {
  /// The table, and `help` and `quit` where it has no commands of these names.
  public var withHelpAndQuit: CommandTable<ConsoleCommand<Command>> {
    var table = CommandTable<ConsoleCommand<Command>>(
      commands.map { spec in
        CommandSpec(info: spec.info) { reader throws(CommandError) in .own(try spec.read(&reader)) }
      }, hints: hints)
    if let shorthand {
      table.shorthand = { words throws(CommandError) in try shorthand(words).map { .own($0) } }
    }
    if info(named: "help") == nil {
      table.commands.append(
        CommandSpec(
          "help", .command, summary: "list the commands, or explain one",
          example: "help \(commands.first?.info.name ?? "quit")"
        ) { .help($0) })
    }
    if info(named: "quit") == nil {
      let aliases = ["exit", "q"].filter { info(named: $0) == nil }
      table.commands.append(
        CommandSpec("quit", aliases: aliases, summary: "leave (so does Ctrl-D)") { .quit })
    }
    return table
  }
}

extension CommandSpec {
  fileprivate init(
    info: CommandInfo,
    read: @escaping @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Command
  ) {
    self.info = info
    self.read = read
  }
}
