extension ShellWords {
  /// How a text is made one word of a line.
  enum QuoteStyle: Equatable, Sendable {
    /// As it is; `quoted` falls back to double quotes if that would not do.
    case bare
    case single, double
  }

  /// Whether a text reads as something else, or as several words, unless it is quoted.
  static func needsQuotes(_ text: String) -> Bool {
    text.isEmpty || text.unicodeScalars.starts(with: "--".unicodeScalars)
      || text.unicodeScalars.contains { scalar in
        scalar == "'" || scalar == "\"" || scalar == "\\" || scalar.properties.isWhitespace
      }
  }

  /// A text as one word that says exactly that.
  ///
  /// An open one lacks the closing quote, for more to follow.
  static func quoted(_ text: String, _ style: QuoteStyle = .bare, isOpen: Bool = false) -> String {
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
