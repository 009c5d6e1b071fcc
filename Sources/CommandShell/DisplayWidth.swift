/// Computes how many columns of a terminal a text takes.
///
/// The C library's `wcwidth` depends on the locale, and handles scalars only; a terminal shows
/// grapheme clusters. So this measures Swift's `Character`. The standard library identifies emoji;
/// the other wide ranges are in a table from Unicode's EastAsianWidth.txt (W and F, version 14),
/// with neighbouring ranges joined across unassigned values.
public enum DisplayWidth {
  /// The number of columns of a text without line breaks.
  public static func of(_ text: String) -> Int {
    if isPrintableASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The number of columns of one character: 0, 1 or 2, or more for characters joined into one.
  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 { return of(first) }
    if isEmoji(first, among: scalars) { return 2 }
    // Characters joined into one, as in Devanagari, still take a column each.
    return scalars.reduce(0) { $0 + of($1) }
  }

  /// Whether each byte is a printable character, one column wide.
  public static func isPrintableASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Whether a character of several scalars is one picture: a flag, a family, a keycap.
  private static func isEmoji(
    _ first: Unicode.Scalar, among scalars: Character.UnicodeScalarView
  ) -> Bool {
    if isRegionalIndicator(first) { return true }
    guard first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation || scalars.contains { isEmojiMaker($0) }
  }

  /// A variation selector for the emoji presentation, or a scalar that joins or modifies emoji.
  private static func isEmojiMaker(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || scalar.value == 0x200D || scalar.properties.isEmojiModifier
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: 1
    case 0x00...0x1F, 0x7F...0x9F: 0
    // Including the soft hyphen, which terminals show.
    case 0xA0...0x02FF: 1
    // Hangul vowels and final consonants are part of the syllable that a first consonant began.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: 0
    default: isZeroWidth(scalar) ? 0 : isWide(scalar) ? 2 : 1
    }
  }

  private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    return wideRanges.contains { $0.contains(scalar.value) }
      || (scalar.properties.isEmojiPresentation && !isRegionalIndicator(scalar))
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6B,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
