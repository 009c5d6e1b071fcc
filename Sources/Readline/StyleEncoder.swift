import CommandShell

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
