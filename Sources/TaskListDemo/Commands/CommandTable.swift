/// What a screen understands: a type of its own for each screen, made from one table.
protocol ScreenCommand: Equatable, Sendable {
  static var table: CommandTable<Self> { get }
}

extension ScreenCommand {
  /// What a line asks for; nil for a line with nothing in it.
  init?(line: String) throws(CommandError) {
    guard let command = try Self.table.command(ShellWords.split(line)) else { return nil }
    self = command
  }

  /// What the arguments of the program ask for; a shell has split them already.
  init?(arguments: [String]) throws(CommandError) {
    let words = arguments.map(ShellWord.init(argument:))
    guard let command = try Self.table.command(words) else { return nil }
    self = command
  }
}

/// A command: what can be told of it, and how words become it.
struct CommandSpec<Command: Sendable>: Sendable {
  var info: CommandInfo
  var read: @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Command

  /// A command that takes these parameters, in this order.
  init<each Value: Sendable>(
    _ name: String, _ parameters: repeat Parameter<each Value>, aliases: [String] = [],
    summary: String, details: String = "", example: String? = nil,
    make: @escaping @Sendable (repeat each Value) -> Command
  ) {
    info = CommandInfo(
      name: name, aliases: aliases, summary: summary, details: details, example: example ?? name)
    for parameter in repeat each parameters { info.parameters.append(parameter.info) }
    read = { reader throws(CommandError) in
      make(repeat try (each parameters).take(&reader))
    }
  }
}

/// The commands of a screen; parsing, complaints, help and completion are all made from it.
struct CommandTable<Command: Sendable>: Sendable {
  var commands: [CommandSpec<Command>]
  /// What a row's number alone asks for, if anything.
  var row: (@Sendable (Int) -> Command)?
  /// What to do instead of what is no command here: another screen's, or another program's.
  var hints: [String: String] = [:]

  var infos: [CommandInfo] { commands.map(\.info) }

  /// What words ask for; nil if there are none.
  func command(_ words: [ShellWord]) throws(CommandError) -> Command? {
    guard let first = words.first else { return nil }
    if let row, !first.isQuoted, TaskName.isNumber(first.text) {
      let number = try TaskName.row(first.text)
      guard words.count == 1 else { throw .afterRow(number, words[1]) }
      return row(number)
    }
    guard let spec = spec(named: first.text) else {
      if row != nil, case .rows(let range)? = try? TaskName(first) { throw .rowsAlone(range) }
      throw unknown(first.text)
    }
    var reader = try ArgumentReader(words.dropFirst(), of: spec.info)
    let command = try spec.read(&reader)
    try reader.end()
    return command
  }

  /// The command of a name, whatever the case of its letters: no two differ by that alone.
  func info(named name: String) -> CommandInfo? { spec(named: name)?.info }

  private func spec(named name: String) -> CommandSpec<Command>? {
    let name = name.lowercased()
    return commands.first { $0.info.names.contains(name) }
  }

  /// Why a name is no command's.
  func unknown(_ name: String) -> CommandError {
    if let hint = hints[name.lowercased()] { return .noCommandHere(name.lowercased(), hint) }
    // Whatever is typed is near to a name of one or two letters.
    let names = infos.flatMap(\.names).filter { $0.count > 2 }
    return .unknownCommand(name, near: NearbyWords.suggestions(for: name, among: names))
  }
}
