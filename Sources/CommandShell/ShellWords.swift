/// A word of a line, as a shell splits it.
public struct ShellWord: Equatable, Sendable {
  /// The word without its quotes.
  public var text: String
  /// The range in the line, including the quotes.
  public var range: Range<String.Index>
  /// Whether any of it was quoted or had a backslash before it.
  public var isQuoted: Bool
  /// Whether it begins with a quote or a backslash: `"--memo"` is a text, `--memo="x"` an option.
  public var beginsQuoted: Bool

  /// Whether it can be an option.
  public var looksLikeOption: Bool {
    !beginsQuoted && text.unicodeScalars.starts(with: "--".unicodeScalars)
  }
}

extension ShellWord {
  /// Whether a text consists of ASCII digits: `Int` accepts no others.
  public static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// Creates a word that a shell has split already.
  ///
  /// A word that is empty or has blanks can only have been quoted.
  public init(argument: String) {
    text = argument
    range = argument.startIndex..<argument.endIndex
    isQuoted =
      argument.isEmpty || argument.unicodeScalars.contains(where: \.properties.isWhitespace)
    beginsQuoted = false
  }
}

/// A line, split into words like a POSIX shell does: blanks separate words unless they are quoted,
/// and nothing is expanded.
///
/// `'…'` is taken literally. In `"…"`, a backslash before `"`, `\`, `$` or `` ` `` makes that
/// character literal; before any other character it is a backslash. Outside quotes, a backslash
/// makes any character literal. A `#` is an ordinary character, since titles may have one.
public struct ShellWords: Equatable, Sendable {
  /// What is missing for a complete line.
  public enum Unfinished: Equatable, Sendable {
    /// The closing quote, or the character after the backslash.
    case singleQuote, doubleQuote, backslash
  }

  /// The words, in order.
  public private(set) var words: [ShellWord] = []
  /// What is still open at the end of the line; common in a line being typed.
  public private(set) var unfinished: Unfinished?
  /// Whether the last word extends to the end of the line: further characters would belong to it.
  public private(set) var endsInWord = false

  /// Splits a whole line into words.
  public static func split(_ line: String) throws(CommandError) -> [ShellWord] {
    let words = ShellWords(of: line)
    if let unfinished = words.unfinished { throw .unbalanced(unfinished) }
    return words.words
  }

  /// Splits a line that may be incomplete.
  ///
  /// It reads Unicode scalars: an accent typed after a quote does not combine with it.
  public init(of line: String) {
    let scalars = line.unicodeScalars
    var (index, word) = (scalars.startIndex, PartialWord?.none)
    while index < scalars.endIndex {
      let (scalar, next) = (scalars[index], scalars.index(after: index))
      switch (unfinished, scalar) {
      case (.backslash, _):
        word?.append(scalar)
        unfinished = nil
      case (.singleQuote, "'"), (.doubleQuote, "\""): unfinished = nil
      case (.doubleQuote, "\\"):
        if next < scalars.endIndex, Self.isEscapable(scalars[next]) {
          word?.append(scalars[next])
          index = scalars.index(after: next)
          continue
        }
        word?.append(scalar)
      case (.singleQuote, _), (.doubleQuote, _): word?.append(scalar)
      case (nil, "'"): open(.singleQuote, at: index, in: &word)
      case (nil, "\""): open(.doubleQuote, at: index, in: &word)
      case (nil, "\\"): open(.backslash, at: index, in: &word)
      case (nil, _) where scalar.properties.isWhitespace:
        if let word { words.append(word.ended(at: index)) }
        word = nil
      case (nil, _):
        word = word ?? PartialWord(start: index)
        word?.append(scalar)
      }
      index = next
    }
    if let word { words.append(word.ended(at: index)) }
    endsInWord = word != nil
  }

  private mutating func open(
    _ quote: Unfinished, at index: String.Index, in word: inout PartialWord?
  ) {
    word = word ?? PartialWord(start: index, beginsQuoted: true)
    word?.isQuoted = true
    unfinished = quote
  }

  private static func isEscapable(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\\" || scalar == "$" || scalar == "`"
  }
}

extension ShellWords {
  /// The quotes that make a text one word of a line.
  public enum QuoteStyle: Equatable, Sendable {
    /// Without quotes; `quoted` uses double quotes if that would change the meaning.
    case bare
    /// In single quotes, or in double quotes.
    case single, double
  }

  /// Whether a text has another meaning, or is several words, unless it is quoted.
  public static func needsQuotes(_ text: String) -> Bool {
    text.isEmpty || text.unicodeScalars.starts(with: "--".unicodeScalars)
      || text.unicodeScalars.contains { scalar in
        scalar == "'" || scalar == "\"" || scalar == "\\" || scalar.properties.isWhitespace
      }
  }

  /// Returns a text as one word with exactly that meaning.
  ///
  /// An open word lacks the closing quote, so that more can follow.
  public static func quoted(_ text: String, _ style: QuoteStyle = .bare, isOpen: Bool = false)
    -> String
  {
    switch style {
    case .bare: needsQuotes(text) ? quoted(text, .double, isOpen: isOpen) : text
    case .single: "'" + escaping(text, "'", as: #"'\''"#) + (isOpen ? "" : "'")
    case .double: "\"" + escaping(text, "\"\\$`") + (isOpen ? "" : "\"")
    }
  }

  private static func escaping(
    _ text: String, _ special: String, as replacement: String? = nil
  ) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) {
        escaped.append(contentsOf: (replacement ?? "\\\(scalar)").unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

/// A word whose end has not been reached.
private struct PartialWord {
  var start: String.Index
  var beginsQuoted = false
  var isQuoted = false
  private var scalars = String.UnicodeScalarView()

  init(start: String.Index, beginsQuoted: Bool = false) {
    self.start = start
    self.beginsQuoted = beginsQuoted
  }

  mutating func append(_ scalar: Unicode.Scalar) { scalars.append(scalar) }

  func ended(at end: String.Index) -> ShellWord {
    ShellWord(
      text: String(scalars), range: start..<end, isQuoted: isQuoted, beginsQuoted: beginsQuoted)
  }
}
