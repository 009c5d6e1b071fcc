/// One line of text with styles, and nothing else that a terminal would obey.
///
/// Whatever is put in, no control character comes out: each is replaced by U+FFFD, a line feed as
/// well; those that would reverse the text beside them are left out. Styles are the only way to
/// have an effect on a terminal, and they end where their text ends.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Text that looks the same from its first letter to its last.
  public struct Span: Hashable, Sendable {
    /// The letters; none of them is a control character.
    public fileprivate(set) var text: String
    /// How they look.
    public let style: TextStyle
  }

  /// The pieces in order; none is empty, and neighbours look different.
  public private(set) var spans: [Span] = []

  /// Nothing: an empty line.
  public init() {}

  /// Text of one style.
  public init(_ text: String, _ style: TextStyle = []) {
    append(text, style)
  }

  /// Plain text.
  public init(stringLiteral value: String) {
    append(value)
  }

  /// The text without its styles.
  public var plain: String { spans.map(\.text).joined() }

  /// Whether there is nothing to see.
  public var isEmpty: Bool { spans.isEmpty }

  /// Adds text at the end.
  public mutating func append(_ text: String, _ style: TextStyle = []) {
    let text = HarmlessText.cleaned(text)
    guard !text.isEmpty else { return }
    if let last = spans.indices.last, spans[last].style == style {
      spans[last].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  /// Adds styled text at the end.
  public mutating func append(_ other: StyledText) {
    for span in other.spans { append(span.text, span.style) }
  }

  /// One after the other.
  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.append(right)
    return sum
  }

  /// Adds styled text at the end.
  public static func += (left: inout StyledText, right: StyledText) {
    left.append(right)
  }
}

/// Text in which nothing moves the cursor, changes the terminal or reverses its neighbours.
enum HarmlessText {
  static func cleaned(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isReordering(scalar) {
      scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Embeddings, overrides and isolates: one left open would reach into the rest of the row.
  private static func isReordering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
