/// One line of text with styles, and no other effect on a terminal.
///
/// It never has control characters: each is replaced by U+FFFD, including line feeds; characters
/// that change the writing direction are removed. Styles are the only effect on a terminal, and
/// they end where their text ends.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Text of one style.
  public struct Span: Hashable, Sendable {
    /// The text; it has no control characters.
    public fileprivate(set) var text: String
    /// The style.
    public let style: TextStyle
  }

  /// The spans in order; none is empty, and neighbours have different styles.
  public private(set) var spans: [Span] = []

  /// Creates an empty line.
  public init() {}

  /// Creates text of one style.
  public init(_ text: String, _ style: TextStyle = []) {
    append(text, style)
  }

  /// Creates plain text.
  public init(stringLiteral value: String) {
    append(value)
  }

  /// The text without its styles.
  public var plain: String { spans.map(\.text).joined() }

  /// Whether there is no text.
  public var isEmpty: Bool { spans.isEmpty }

  /// Appends text.
  public mutating func append(_ text: String, _ style: TextStyle = []) {
    let text = HarmlessText.cleaned(text)
    guard !text.isEmpty else { return }
    if let last = spans.indices.last, spans[last].style == style {
      spans[last].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  /// Appends styled text.
  public mutating func append(_ other: StyledText) {
    for span in other.spans { append(span.text, span.style) }
  }

  /// Concatenates two texts.
  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.append(right)
    return sum
  }

  /// Appends styled text.
  public static func += (left: inout StyledText, right: StyledText) {
    left.append(right)
  }
}

/// Removes from text what moves the cursor, changes the terminal or changes the writing direction.
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

  /// Embeddings, overrides and isolates: an open one would affect the rest of the row.
  private static func isReordering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
