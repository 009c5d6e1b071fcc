/// Distinguishes pasted bytes from typed ones.
///
/// On request, a terminal sends a mark before a paste and another after it. Everything between them
/// is text, never a key or Enter.
struct PasteReader {
  /// Where in the input the reader is.
  private enum Place {
    case outside
    case inside([UInt8])
    /// In a paste that was dropped while it arrived: the rest must not be taken for keys.
    case dropped
  }

  /// The control sequences that turn the marks on and off.
  static let marksOn = Array("\u{1B}[?2004h".utf8)
  static let marksOff = Array("\u{1B}[?2004l".utf8)
  /// The most bytes of pasted text that a line can have.
  static let limit = 1 << 20

  private static let begin = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  private var place = Place.outside
  /// The number of bytes of the next mark that have arrived.
  private var marked = 0

  /// Whether the next byte belongs to a paste.
  var isInside: Bool { if case .outside = place { false } else { true } }

  /// Whether the next byte belongs to a dropped paste.
  var isDropping: Bool { if case .dropped = place { true } else { false } }

  /// Checks a typed byte, which may be the last one of the mark before a paste.
  mutating func check(_ byte: UInt8) {
    if completes(Self.begin, byte) { place = .inside([]) }
  }

  /// Takes a byte of a paste; returns the whole paste at its end, and more than ``limit`` bytes of
  /// a longer one.
  mutating func take(_ byte: UInt8) -> [UInt8]? {
    let isEnd = completes(Self.end, byte)
    guard case .inside(var text) = place else {
      if isEnd { place = .outside }
      return nil
    }
    // Released first, so that the bytes are not copied.
    place = .outside
    let most = Self.limit + Self.end.count
    if text.count <= most { text.append(byte) }
    guard isEnd else {
      place = .inside(text)
      return nil
    }
    return text.count <= most ? Array(text.dropLast(Self.end.count)) : text
  }

  /// Drops the bytes of a paste that have arrived and that will arrive; called again, it stops
  /// waiting for the rest.
  mutating func drop() {
    switch place {
    case .inside: place = .dropped
    case .dropped, .outside: place = .outside
    }
  }

  private mutating func completes(_ mark: [UInt8], _ byte: UInt8) -> Bool {
    marked = byte == mark[marked] ? marked + 1 : byte == mark[0] ? 1 : 0
    guard marked == mark.count else { return false }
    marked = 0
    return true
  }
}

/// Text with line breaks, each line of which is a line of input.
enum PastedText {
  /// Converts a paste to the text in the line: every line break becomes a line feed, and NUL, which
  /// would end the line, is removed.
  static func text(of paste: [UInt8]) -> [UInt8] {
    var (text, last): ([UInt8], UInt8) = ([], 0)
    text.reserveCapacity(paste.count)
    for byte in paste where byte != 0 {
      switch (last, byte) {
      case (UInt8(ascii: "\r"), UInt8(ascii: "\n")): break
      case (_, UInt8(ascii: "\r")): text.append(UInt8(ascii: "\n"))
      default: text.append(byte)
      }
      last = byte
    }
    return text
  }

  /// Returns the lines; a line break at the end begins no further line.
  static func lines(of text: [UInt8]) -> [[UInt8]] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) }
    if lines.last == [] { lines.removeLast() }
    return lines
  }
}
