/// Breaks lines between words, where a terminal would break them at its edge.
public enum WordWrap {
  /// Wraps a text to a number of columns; a line is wider only if one of its words is.
  ///
  /// Each continuation line is indented like its line.
  ///
  /// - Parameters:
  ///   - text: One or more lines.
  ///   - columns: The number of columns in a row.
  ///   - width: The number of columns of a character.
  /// - Returns: The text, with more line feeds.
  public static func wrapped(
    _ text: String, to columns: Int, width: (Character) -> Int = { _ in 1 }
  ) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrapped(line: $0, to: columns, width) }.joined(separator: "\n")
  }

  private static func wrapped(
    line: Substring, to columns: Int, _ width: (Character) -> Int
  ) -> String {
    let indent = line.prefix { $0 == " " }
    var (text, used, isEmpty) = (String(indent), indent.count, true)
    var rest = line.dropFirst(indent.count)
    while !rest.isEmpty {
      let blanks = rest.prefix { $0 == " " }
      let word = rest.dropFirst(blanks.count).prefix { $0 != " " }
      rest = rest.dropFirst(blanks.count + word.count)
      let needed = word.reduce(0) { $0 + width($1) }
      if !isEmpty, used + blanks.count + needed > columns {
        text += "\n\(indent)\(word)"
        used = indent.count + needed
      } else {
        text += blanks + word
        used += blanks.count + needed
      }
      isEmpty = isEmpty && word.isEmpty
    }
    return text
  }
}
