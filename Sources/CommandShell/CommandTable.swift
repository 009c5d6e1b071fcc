/// The commands of a program as a type, defined by one table.
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
  /// All commands.
  static var table: CommandTable<Self> { get }
}

extension ShellCommand {
  /// Parses a line; nil for an empty line.
  public init?(line: String) throws(CommandError) {
    guard let command = try Self.table.command(ShellWords.split(line)) else { return nil }
    self = command
  }

  /// Parses the arguments of a program, which a shell has split already.
  public init?(arguments: [String]) throws(CommandError) {
    let words = arguments.map(ShellWord.init(argument:))
    guard let command = try Self.table.command(words) else { return nil }
    self = command
  }
}

/// A command: its description, and how words are converted to it.
public struct CommandSpec<Command: Sendable>: Sendable {
  /// The command's description.
  public var info: CommandInfo
  var read: @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Command

  /// Creates a command with these parameters, in this order.
  ///
  /// A parameter that takes the rest of the line has to be the last positional one; otherwise
  /// creating the command is a precondition failure.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case; lines may use upper case.
  ///   - parameters: The parameters.
  ///   - aliases: Other names of the command.
  ///   - summary: What it does, in a few words.
  ///   - details: Further explanation in its own help.
  ///   - example: An example of a valid line; by default the name.
  ///   - make: Creates the command from the typed values.
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

/// Names that other programs use for commands of nearly every table: accepted, but not offered.
private let namesElsewhere = ["?": "help", ":q": "quit"]

/// The commands of a screen; parsing, error messages, help and completion all use it.
public struct CommandTable<Command: Sendable>: Sendable {
  /// Parses words that begin with no command's name; returns nil to look them up.
  public typealias Shorthand =
    @Sendable (_ words: [ShellWord]) throws(CommandError) -> Command?

  /// The commands, in the order of the help.
  public var commands: [CommandSpec<Command>]
  /// Called first: a number alone may mean a row, for example.
  public var shorthand: Shorthand?
  /// Hints for names that are commands of another screen or another program, and not of this one.
  public var hints: [String: String]

  /// Creates a table of these commands.
  public init(
    _ commands: [CommandSpec<Command>], hints: [String: String] = [:], shorthand: Shorthand? = nil
  ) {
    self.commands = commands
    self.hints = hints
    self.shorthand = shorthand
  }

  /// The descriptions of the commands.
  public var infos: [CommandInfo] { commands.map(\.info) }

  /// Parses words; returns nil if there are none.
  public func command(_ words: [ShellWord]) throws(CommandError) -> Command? {
    guard let first = words.first else { return nil }
    if let command = try shorthand?(words) { return command }
    guard let spec = spec(named: first.text) else { throw unknown(first.text) }
    var reader = try ArgumentReader(words.dropFirst(), of: spec.info)
    let command = try spec.read(&reader)
    try reader.end()
    return command
  }

  /// Returns the command of a name, ignoring case: no two names differ by case alone.
  public func info(named name: String) -> CommandInfo? { spec(named: name)?.info }

  private func spec(named name: String) -> CommandSpec<Command>? {
    let name = name.lowercased()
    return commands.first { $0.info.names.contains(name) }
      ?? namesElsewhere[name].flatMap { name in commands.first { $0.info.name == name } }
  }

  /// Returns the error for a name that is no command's.
  public func unknown(_ name: String) -> CommandError {
    if let hint = hints[name.lowercased()] { return .noCommandHere(name.lowercased(), hint) }
    // Every typed word is similar to a name of one or two characters.
    let names = infos.flatMap(\.names).filter { $0.count > 2 }
    return .unknownCommand(name, near: NearbyWords.suggestions(for: name, among: names))
  }
}

// MARK: Help

extension CommandTable {
  /// Returns the help about one command, or about all of them.
  ///
  /// In a narrow window, what a command does is on the line below it.
  public func help(about name: String?, columns: Int = 80) throws(CommandError) -> String {
    guard let name else { return overview(columns) }
    guard let info = info(named: name) else { throw unknown(name) }
    return Self.help(info)
  }

  /// Every command with what it does, one line for each if they fit.
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

// MARK: Commands of every table

/// A command of a table, or one of those that a console adds to every table.
public enum ConsoleCommand<Own: Sendable>: Sendable {
  /// A command of the table.
  case own(Own)
  /// Help about all commands, or about one.
  case help(String?)
  /// Quitting.
  case quit
}

extension ConsoleCommand: Equatable where Own: Equatable {}

extension CommandTable {
  /// The table with `help` and `quit` added, unless it has commands of these names.
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
