/// The style of a piece of text: any combination of these; of several colours, one is shown.
public struct TextStyle: OptionSet, Hashable, Sendable {
  /// One bit for each of the styles below.
  public let rawValue: UInt16

  /// Creates the styles of these bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Bold, or brighter, text.
  public static let bold = TextStyle(rawValue: 1 << 0)
  /// Fainter text.
  public static let dim = TextStyle(rawValue: 1 << 1)
  /// Underlined text.
  public static let underline = TextStyle(rawValue: 1 << 2)
  /// Foreground and background exchanged.
  public static let inverse = TextStyle(rawValue: 1 << 3)
  /// Struck out text.
  public static let strikethrough = TextStyle(rawValue: 1 << 4)
  /// The terminal's red.
  public static let red = TextStyle(rawValue: 1 << 5)
  /// The terminal's green.
  public static let green = TextStyle(rawValue: 1 << 6)
  /// The terminal's yellow.
  public static let yellow = TextStyle(rawValue: 1 << 7)
  /// The terminal's blue.
  public static let blue = TextStyle(rawValue: 1 << 8)
  /// The terminal's magenta.
  public static let magenta = TextStyle(rawValue: 1 << 9)
  /// The terminal's cyan.
  public static let cyan = TextStyle(rawValue: 1 << 10)
}
