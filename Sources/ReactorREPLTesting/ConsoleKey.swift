/// A key of a ``TestConsole``.
public enum ConsoleKey: Hashable, Sendable {
  /// A character, which is inserted at the cursor.
  case character(Character)
  /// Ctrl and a lowercase letter, such as `.control("a")` for the start of the line.
  case control(Character)
  /// Enter.
  case enter
  /// Tab, which completes the line.
  case tab
  /// Erases the character before the cursor.
  case backspace
  /// Erases the character at the cursor.
  case delete
  /// The cursor keys; up and down show earlier and later lines.
  case left, right, up, down
  /// The start and the end of the line.
  case home, end
  /// Turn pages of the help, or of what the screen shows.
  case pageUp, pageDown

  /// Drops the typed line; on an empty line, it cancels a command.
  public static let ctrlC = ConsoleKey.control("c")
  /// On an empty line, it means `quit`; elsewhere it is ``delete``.
  public static let ctrlD = ConsoleKey.control("d")

  /// The key that a character of a text means: `"\n"` is Enter, `"\t"` is Tab, `"\u{3}"` is Ctrl-C.
  init(_ character: Character) {
    switch character {
    case "\n", "\r", "\r\n": self = .enter
    case "\t": self = .tab
    case "\u{7F}", "\u{8}": self = .backspace
    default:
      let scalar = character.unicodeScalars.first?.value ?? 0
      let letter = (1...26).contains(scalar) ? Unicode.Scalar(scalar + 96) : nil
      self = letter.map { ConsoleKey.control(Character($0)) } ?? .character(character)
    }
  }
}
