// MARK: Names

extension CommandError {
  static func unknownCommand(_ word: String, near names: [String]) -> Self {
    guard !names.isEmpty else { return Self("unknown command '\(shown(word))'; 'help' lists all") }
    return Self(
      "unknown command '\(shown(word))'; did you mean \(alternatives(names))? ('help' lists all)")
  }

  static func afterRow(_ row: Int, _ word: ShellWord) -> Self {
    Self("'\(shown(word.text))' is too much after a row's number; try '\(row)', or 'done \(row)'")
  }

  static func rowsAlone(_ range: ClosedRange<Int>) -> Self {
    let rows = "\(range.lowerBound)-\(range.upperBound)"
    return Self("'\(rows)' names tasks, but no command; try 'done \(rows)'")
  }

  /// What people know from another screen, or another program.
  static func noCommandHere(_ name: String, _ hint: String) -> Self {
    Self("'\(name)' is no command here; \(hint)")
  }
}

// MARK: Arguments

extension CommandError {
  static func missing(_ parameter: ParameterInfo, of command: CommandInfo) -> Self {
    Self("\(command.name) needs \(parameter.meaning); try '\(command.example)'")
  }

  static func tooMany(_ word: ShellWord, for command: CommandInfo) -> Self {
    guard !command.places.isEmpty else {
      return Self(
        "\(command.name) takes nothing, not '\(shown(word.text))'; type '\(command.name)' alone")
    }
    return Self(
      "'\(shown(word.text))' is too much for '\(command.usage)'; try '\(command.example)', "
        + "and quote what has blanks in it")
  }

  static func notThat(
    _ word: ShellWord, for parameter: ParameterInfo, of command: CommandInfo
  ) -> Self {
    Self(
      "\(command.name) takes \(parameter.meaning), not '\(shown(word.text))'; "
        + "try '\(command.example)'")
  }

  static func blank(_ parameter: ParameterInfo, of command: CommandInfo) -> Self {
    Self("\(parameter.meaning) cannot be blank; try '\(command.example)'")
  }
}

// MARK: Options

extension CommandError {
  static func unknownOption(_ word: ShellWord, of command: CommandInfo) -> Self {
    let (name, known) = (String(word.text.prefix { $0 != "=" }), command.options)
    if name == "--help" { return Self("'--help' is no option here; try 'help \(command.name)'") }
    let near = NearbyWords.suggestions(for: name, among: known)
    let way =
      if known.isEmpty {
        "\(command.name) has none"
      } else if near.isEmpty {
        "\(command.name) has \(alternatives(known))"
      } else {
        "did you mean \(alternatives(near))?"
      }
    return Self("unknown option '\(shown(name))'; \(way) (after '--' it is a text)")
  }

  /// `TaskListDemo --jsno list`.
  static func unknownProgramOption(_ option: String) -> Self {
    Self("unknown option '\(shown(option))'; '--help' lists the program's")
  }

  /// `TaskListDemo list --json`.
  static func programOption(_ option: String, after command: String) -> Self {
    Self("'\(option)' is an option of the program; put it before '\(shown(command))'")
  }

  static func optionTwice(_ option: String) -> Self {
    Self("--\(option) is there twice; give it once")
  }

  static func optionAlone(_ parameter: ParameterInfo, _ option: String) -> Self {
    Self("--\(option) needs \(parameter.meaning); try '--\(option) \"some words\"'")
  }

  /// `add Buy --memo two litres`: the last word could be the title's or the memo's.
  static func optionRunsOn(_ option: String, _ value: String, _ word: String) -> Self {
    Self(
      "'\(shown(word))' after '--\(option) \(shown(value))' could belong to either; "
        + "quote the text of --\(option), or put it last")
  }
}
