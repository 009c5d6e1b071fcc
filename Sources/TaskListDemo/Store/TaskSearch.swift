/// A search as FTS5 takes it: each word of it begins a word of the task.
///
/// `nil` for a text without a word, which is no search: while somebody types a quote or a dash
/// first, the list stays as it is.
func searchExpression(_ text: String) -> String? {
  let words = text.split(whereSeparator: \.isWhitespace).map(String.init).filter(hasToken)
  guard !words.isEmpty else { return nil }
  // In quotes nothing has a meaning of its own; what is inside is split into words as titles are.
  return words.map { word in
    "\"\(word.replacing("\"", with: " ").replacing("\0", with: " "))\"*"
  }.joined(separator: " ")
}

/// Whether the index makes a word of it: the categories are those that the schema names.
private func hasToken(_ word: String) -> Bool {
  word.unicodeScalars.contains { scalar in
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .otherSymbol:
      true
    default: false
    }
  }
}
