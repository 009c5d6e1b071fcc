/// What a line means to the program.
enum CounterCommand: Equatable {
  case send(CounterReactor.Action)
  case show
  /// Takes the newest change back.
  case undo
  /// Makes the change again that was taken back last.
  case redo
  /// Lists that many of the newest changes.
  case history(Int)
  /// Shows the counter as it was after a change.
  case at(Int)
  case help
  case quit
  /// A line with nothing in it.
  case nothing
}

/// Why a line means nothing to the program, and what would.
struct CounterCommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension CounterCommand {
  /// The words a line can begin with.
  static let words = [
    "+", "-", "at", "decrease", "exit", "help", "history", "increase", "q", "quit", "redo",
    "reset", "set", "show", "undo",
  ]

  /// What could stand where the word does, at the end of the line.
  static func completions(line: String, word: String) -> [String] {
    let before = line.unicodeScalars.dropLast(word.unicodeScalars.count)
    return before.allSatisfy(\.properties.isWhitespace) ? words : []
  }

  static let helpText = """
    +, increase [N]   add N (1) after the delay
    -, decrease [N]   take N (1) away after the delay
    set N             set the value at once
    reset             set the value to 0 at once
    undo              take the newest change back, and so on, up to a hundred
    redo              make the change again that was taken back last
    history [N]       list the newest N (20) changes
    at N              print the value after change N; 0 for the beginning
    show              print the current line again
    help              print this
    quit, exit, q     leave (so does Ctrl-D)
    """

  init(line: String) throws(CounterCommandError) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let name = words.first else {
      self = .nothing
      return
    }
    let arguments = words.dropFirst()
    switch name {
    case "+", "increase": self = .send(.increase(by: try Self.amount(arguments, of: name)))
    case "-", "decrease": self = .send(.decrease(by: try Self.amount(arguments, of: name)))
    case "set": self = .send(.set(try Self.value(arguments)))
    case "undo": self = try Self.alone(.undo, name, arguments)
    case "redo": self = try Self.alone(.redo, name, arguments)
    case "history": self = .history(try Self.count(arguments, of: name) ?? 20)
    case "at": self = .at(try Self.place(arguments))
    case "reset": self = try Self.alone(.send(.reset), name, arguments)
    case "show": self = try Self.alone(.show, name, arguments)
    case "help": self = try Self.alone(.help, name, arguments)
    case "quit", "exit", "q": self = try Self.alone(.quit, name, arguments)
    default:
      throw CounterCommandError("unknown command '\(Self.quoted(name))'; \(Self.hint(for: name))")
    }
  }

  private static func hint(for unknown: String) -> String {
    guard let sign = unknown.first, "+-".contains(sign), Int(unknown) != nil else {
      return "'help' lists them"
    }
    return "try '\(sign) \(quoted(String(unknown.dropFirst())))'"
  }

  private static func alone(
    _ command: Self, _ name: String, _ arguments: ArraySlice<String>
  ) throws(CounterCommandError) -> Self {
    guard let extra = arguments.first else { return command }
    throw CounterCommandError("\(name) takes nothing, not '\(quoted(extra))'; type '\(name)' alone")
  }

  private static func amount(
    _ arguments: ArraySlice<String>, of name: String
  ) throws(CounterCommandError) -> Int {
    guard let text = arguments.first else { return 1 }
    let amount = try number(text, for: name, from: 0)
    guard arguments.count == 1 else { throw tooMany(name, arguments) }
    guard amount >= 0 else {
      throw CounterCommandError(
        "\(name) takes a number that is not negative, not '\(quoted(text))'; "
          + "try '\(name == "+" || name == "increase" ? "decrease" : "increase")'")
    }
    return amount
  }

  /// How many, or which one; nil if that is not said.
  private static func count(
    _ arguments: ArraySlice<String>, of name: String
  ) throws(CounterCommandError) -> Int? {
    guard let text = arguments.first else { return nil }
    guard arguments.count == 1 else { throw tooMany(name, arguments) }
    let count = try number(text, for: name, from: 0)
    guard count >= 0 else {
      throw CounterCommandError(
        "\(name) takes a number that is not negative, not '\(quoted(text))'; try '\(name) 5'")
    }
    return count
  }

  private static func place(_ arguments: ArraySlice<String>) throws(CounterCommandError) -> Int {
    guard let place = try count(arguments, of: "at") else {
      throw CounterCommandError("at needs the number of a change; 'history' lists them")
    }
    return place
  }

  private static func value(_ arguments: ArraySlice<String>) throws(CounterCommandError) -> Int {
    guard let text = arguments.first else {
      throw CounterCommandError("set needs a number; try 'set 5'")
    }
    guard arguments.count == 1 else { throw tooMany("set", arguments) }
    return try number(text, for: "set", from: .min)
  }

  private static func tooMany(
    _ name: String, _ arguments: ArraySlice<String>
  ) -> CounterCommandError {
    CounterCommandError("\(name) takes one number, not \(arguments.count); try '\(name) 5'")
  }

  private static func number(
    _ text: String, for name: String, from lowest: Int
  ) throws(CounterCommandError) -> Int {
    if let number = Int(text) { return number }
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else {
      throw CounterCommandError(
        "\(name) takes a whole number, not '\(quoted(text))'; try '\(name) 5'")
    }
    throw CounterCommandError(
      "\(quoted(text)) is out of range; use a number from \(lowest) to \(Int.max)")
  }

  /// A word of the person's as it can be shown: short, and nothing in it moves the cursor.
  private static func quoted(_ word: String) -> String {
    let shown = word.unicodeScalars.prefix(40).map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return shown.joined() + (word.unicodeScalars.count > 40 ? "…" : "")
  }
}
