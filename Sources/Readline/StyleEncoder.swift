import CommandShell

/// Converts styled text to bytes for a terminal.
struct StyleEncoder: Equatable, Sendable {
  /// Whether styles are shown; if not, the text is written plain.
  var showsStyles: Bool

  /// ECMA-48 "select graphic rendition", one code for each bit of ``TextStyle``.
  private static let codes = [1, 2, 4, 7, 9, 31, 32, 33, 34, 35, 36]

  func bytes(of text: StyledText) -> [UInt8] {
    var bytes: [UInt8] = []
    for span in text.spans {
      let start = showsStyles ? Self.start(of: span.style) : ""
      bytes += Array(start.utf8)
      bytes += Array(span.text.utf8)
      // Each span resets its style, so that it cannot affect the text after it.
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
