/// How a piece of text looks: any of these together; of several colours, one is seen.
public struct TextStyle: OptionSet, Hashable, Sendable {
  /// One bit for each of the styles below.
  public let rawValue: UInt16

  /// The styles of these bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Heavier, or brighter, than the rest.
  public static let bold = TextStyle(rawValue: 1 << 0)
  /// Fainter than the rest.
  public static let dim = TextStyle(rawValue: 1 << 1)
  /// Underlined.
  public static let underline = TextStyle(rawValue: 1 << 2)
  /// Letters and ground exchanged.
  public static let inverse = TextStyle(rawValue: 1 << 3)
  /// Struck out.
  public static let strikethrough = TextStyle(rawValue: 1 << 4)
  /// The terminal's own red, and so on for the others.
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
