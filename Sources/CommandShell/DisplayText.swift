/// Prepares text for a place of limited width.
public enum DisplayText {
  /// The character that replaces the rest of a text that does not fit.
  public static let ellipsis: Character = "…"

  /// Writes out the characters that are invisible or would move the cursor: `\n`, `\u{001B}`.
  public static func visible(_ text: String) -> String {
    if DisplayWidth.isPrintableASCII(text) { return text }
    var visible = ""
    for character in text { append(character, to: &visible) }
    return visible
  }

  /// Returns as much of a text as fits, made visible, with `…` for the rest; no character is split.
  ///
  /// It reads no further than necessary: a text may be much longer than the window is wide.
  public static func fitted(_ text: String, to columns: Int) -> (text: String, columns: Int) {
    guard columns > 0 else { return ("", 0) }
    if text.utf8.count <= columns, DisplayWidth.isPrintableASCII(text) {
      return (text, text.utf8.count)
    }
    var (all, used) = ("", 0)
    // The text to use if an ellipsis has to follow.
    var (short, shortUsed) = ("", 0)
    for character in text {
      append(character, to: &all)
      used += width(of: character)
      if used > columns { return (short + String(ellipsis), shortUsed + 1) }
      if used < columns { (short, shortUsed) = (all, used) }
    }
    return (all, used)
  }

  /// Returns the text in exactly that many columns: truncated, or followed by blanks.
  public static func padded(_ text: String, to columns: Int) -> String {
    let (fitted, used) = fitted(text, to: columns)
    return fitted + blanks(columns - used)
  }

  /// Returns that many blanks; none if the count is not positive.
  public static func blanks(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func append(_ character: Character, to text: inout String) {
    if character.unicodeScalars.contains(where: mustBeWrittenOut) {
      text += escaped(character)
    } else {
      text.append(character)
    }
  }

  private static func width(of character: Character) -> Int {
    character.unicodeScalars.contains(where: mustBeWrittenOut)
      ? DisplayWidth.of(escaped(character)) : DisplayWidth.of(character)
  }

  private static func escaped(_ character: Character) -> String {
    character.unicodeScalars.map {
      mustBeWrittenOut($0) ? $0.escaped(asASCII: true) : String($0)
    }.joined()
  }

  /// Whether a character is a control, a line separator, or changes the writing direction.
  public static func mustBeWrittenOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
