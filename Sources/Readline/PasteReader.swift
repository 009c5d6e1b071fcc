/// Tells what is pasted from what is typed.
///
/// A terminal that has been asked to puts a mark before a paste and another behind it. What is
/// between them is text, whatever it is: no key, and no Enter.
struct PasteReader {
  /// Where the input is.
  private enum Place {
    case outside
    case inside([UInt8])
    /// In a paste that was dropped while it came: the rest of it must not be taken for keys.
    case dropped
  }

  /// What asks a terminal for marks, and what for none.
  static let marksOn = Array("\u{1B}[?2004h".utf8)
  static let marksOff = Array("\u{1B}[?2004l".utf8)
  /// The most bytes of pasted text that a line can have.
  static let limit = 1 << 20

  private static let begin = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  private var place = Place.outside
  /// How many bytes of the next mark have come.
  private var marked = 0

  /// Whether the next byte belongs to a paste.
  var isInside: Bool { if case .outside = place { false } else { true } }

  /// Whether the next byte belongs to a paste of which nothing is wanted any more.
  var isDropping: Bool { if case .dropped = place { true } else { false } }

  /// Looks at a byte that is typed, which may be the last one of the mark before a paste.
  mutating func see(_ byte: UInt8) {
    if completes(Self.begin, byte) { place = .inside([]) }
  }

  /// Takes a byte of a paste; gives all of it at its end, and more than ``limit`` of a longer one.
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

  /// Drops what has come and what is still to come of a paste; the second time, waits for no more.
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

/// Text with line breaks in it, each line of which is a line of input.
enum PastedText {
  /// A paste as it stands in the line: any line break is a line feed, and there is no NUL, which
  /// would end the line.
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

  /// The lines; a line break at the end begins no further one.
  static func lines(of text: [UInt8]) -> [[UInt8]] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) }
    if lines.last == [] { lines.removeLast() }
    return lines
  }
}
