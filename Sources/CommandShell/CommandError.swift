/// Why a line has no meaning, or names nothing: what was wrong and how to correct it, in one line.
public struct CommandError: Error, Equatable, CustomStringConvertible {
  /// The line.
  public let description: String

  /// Creates an error with this text, without `error: ` before it.
  public init(_ description: String) { self.description = description }

  /// Prepares a typed word for display: shortened, with control characters written out.
  public static func shown(_ word: String) -> String {
    let isLong = word.unicodeScalars.count > 40
    return harmless(Substring(word.unicodeScalars.prefix(40))) + (isLong ? "…" : "")
  }

  /// Writes out the characters of a text that move the cursor or reverse the writing direction.
  public static func harmless(_ text: some StringProtocol) -> String {
    // Most of a long list is plain ASCII; reading the category of each character takes half of its
    // time.
    guard !text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return String(text) }
    return text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      // Joiners are part of how some words, and many emoji, are written.
      case .format where scalar.properties.isJoinControl: String(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    .joined()
  }

  /// Joins words: `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`.
  public static func alternatives(_ words: [String]) -> String {
    let quoted = words.map { "'\(shown($0))'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension CommandError {
  /// A quote that is never closed.
  public static func unbalanced(_ open: ShellWords.Unfinished) -> Self {
    switch open {
    case .singleQuote:
      Self(#"a quote (') is never closed; add another ', or type \' for an apostrophe"#)
    case .doubleQuote:
      Self(#"a quote (") is never closed; add another ", or type \" for the character itself"#)
    case .backslash:
      Self(#"a backslash at the end of the line quotes nothing; type \\ for the character itself"#)
    }
  }
}

// MARK: Names

extension CommandError {
  /// A first word that is no command, with similar names.
  public static func unknownCommand(_ word: String, near names: [String]) -> Self {
    guard !names.isEmpty else { return Self("unknown command '\(shown(word))'; 'help' lists all") }
    return Self(
      "unknown command '\(shown(word))'; did you mean \(alternatives(names))? ('help' lists all)")
  }

  /// A command that the user knows from another screen or another program.
  public static func noCommandHere(_ name: String, _ hint: String) -> Self {
    Self("'\(name)' is no command here; \(hint)")
  }
}

// MARK: Arguments

extension CommandError {
  /// A command without something that it needs.
  public static func missing(_ parameter: ParameterInfo, of command: CommandInfo) -> Self {
    let label = parameter.specificLabel.map { "\($0), " } ?? ""
    return Self("\(command.name) needs \(label)\(parameter.meaning); try '\(command.example)'")
  }

  /// A word more than a command takes.
  public static func tooMany(_ word: ShellWord, for command: CommandInfo) -> Self {
    if word.text.hasPrefix("#"), !word.isQuoted {
      return Self(
        "'\(shown(word.text))' is too much for '\(command.usage)'; "
          + "a comment needs a line of its own")
    }
    guard !command.places.isEmpty else {
      return Self(
        "\(command.name) takes nothing, not '\(shown(word.text))'; type '\(command.name)' alone")
    }
    guard command.places.contains(where: \.mayHaveBlanks) else {
      return Self(
        "'\(shown(word.text))' is too much for '\(command.usage)'; try '\(command.example)'")
    }
    return Self(
      "'\(shown(word.text))' is too much for '\(command.usage)'; try '\(command.example)', "
        + "and quote what has blanks in it")
  }

  /// A word that is something else than the command takes there.
  public static func notThat(
    _ word: ShellWord, for parameter: ParameterInfo, of command: CommandInfo
  ) -> Self {
    Self(
      "\(command.name) takes \(parameter.meaning), not '\(shown(word.text))'; "
        + "try '\(command.example)'")
  }

  /// A number outside the allowed range.
  public static func outOfRange(_ word: ShellWord, _ range: ClosedRange<Int>) -> Self {
    Self(
      "\(shown(word.text)) is out of range; use a number from \(range.lowerBound) to "
        + "\(range.upperBound)")
  }

  /// A text without visible characters.
  public static func blank(_ parameter: ParameterInfo, of command: CommandInfo) -> Self {
    let name = parameter.specificLabel ?? parameter.meaning
    return Self("\(name) cannot be blank; try '\(command.example)'")
  }
}

// MARK: Options

extension CommandError {
  /// An option that the command does not have.
  public static func unknownOption(_ word: ShellWord, of command: CommandInfo) -> Self {
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

  /// An option given twice.
  public static func optionTwice(_ option: String) -> Self {
    Self("--\(option) is there twice; give it once")
  }

  /// An option without its value.
  public static func optionAlone(_ parameter: ParameterInfo, _ option: String) -> Self {
    Self("--\(option) needs \(parameter.meaning); try '--\(option) \"some words\"'")
  }

  /// `add Buy --memo two litres`: the last word could belong to the title or to the memo.
  public static func optionRunsOn(_ option: String, _ value: String, _ word: String) -> Self {
    Self(
      "'\(shown(word))' after '--\(option) \(shown(value))' could belong to either; "
        + "quote the text of --\(option), or put it last")
  }
}
