/// Breaks lines between words, where a terminal would break them at its edge.
public enum WordWrap {
  /// The text with its lines no wider than so many columns, as far as their words are not.
  ///
  /// What follows a break is indented as the line was.
  ///
  /// - Parameters:
  ///   - text: One or more lines.
  ///   - columns: How many letters fit in a row.
  ///   - width: How many columns a letter takes.
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
