/// Why a line means nothing, or names nothing: what was wrong and what would do, in one line.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A word of the person's as it can be shown: short, and nothing in it moves the cursor.
  static func shown(_ word: String) -> String {
    let isLong = word.unicodeScalars.count > 40
    return harmless(Substring(word.unicodeScalars.prefix(40))) + (isLong ? "…" : "")
  }

  /// A text in which nothing moves the cursor or turns the writing around.
  static func harmless(_ text: some StringProtocol) -> String {
    // Most of a long list is plain; to ask for the category of each letter takes half of its time.
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

  /// `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`.
  static func alternatives(_ words: [String]) -> String {
    let quoted = words.map { "'\(shown($0))'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension CommandError {
  static func unbalanced(_ open: ShellWords.Unfinished) -> Self {
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
