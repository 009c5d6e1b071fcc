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

/// Turns styled text into what a terminal is sent.
struct StyleEncoder: Equatable, Sendable {
  /// Whether styles are shown; if not, the text goes out plain.
  var showsStyles: Bool

  /// ECMA-48 "select graphic rendition", one code for each bit of ``TextStyle``.
  private static let codes = [1, 2, 4, 7, 9, 31, 32, 33, 34, 35, 36]

  func bytes(of text: StyledText) -> [UInt8] {
    var bytes: [UInt8] = []
    for span in text.spans {
      let start = showsStyles ? Self.start(of: span.style) : ""
      bytes += Array(start.utf8)
      bytes += Array(span.text.utf8)
      // Each span ends what it began, so that none can colour what comes after it.
      if !start.isEmpty { bytes += Array("\u{1B}[m".utf8) }
    }
    return bytes
  }

  private static func start(of style: TextStyle) -> String {
    let chosen = codes.enumerated().filter { style.rawValue & (1 << $0.offset) != 0 }
    guard !chosen.isEmpty else { return "" }
    return "\u{1B}[\(chosen.map { String($0.element) }.joined(separator: ";"))m"
  }
}
