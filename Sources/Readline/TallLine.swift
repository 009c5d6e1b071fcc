import CommandShell

/// The visible part of a line that its line breaks make taller than the screen: the lines around
/// the cursor, and how many are omitted above and below.
///
/// readline would draw all of them, those below the screen over each other in its last row.
struct TallLine: Equatable {
  /// The text to draw instead of the line.
  private(set) var text: [UInt8]
  /// The position of the cursor in it.
  private(set) var point: Int

  /// Computes what is drawn of a line; nil if all of it fits.
  ///
  /// - Parameters:
  ///   - line: The line, with its line breaks.
  ///   - point: The position of the cursor in it.
  ///   - prompt: The width of the prompt in columns.
  ///   - rows: The number of rows, at least two.
  ///   - columns: The number of columns.
  init?(_ line: [UInt8], point: Int, prompt: Int, rows: Int, columns: Int) {
    let lines = line.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let room = Room(lines: lines, prompt: prompt, rows: rows, columns: max(1, columns))
    let cursor = lines.lastIndex { $0.startIndex <= point }
    guard let cursor, !room.holds(0..<lines.count) else { return nil }
    let shown = room.lines(around: cursor)
    let begin = lines[shown.lowerBound].startIndex
    text = Self.note(shown.lowerBound, "", "\n")
    self.point = text.count + point - begin
    text += line[begin..<lines[shown.upperBound - 1].endIndex]
    text += Self.note(lines.count - shown.upperBound, "\n", "")
  }

  private static func note(_ count: Int, _ before: String, _ after: String) -> [UInt8] {
    count == 0 ? [] : Array("\(before)(\(NumberText.counted(count, "more line")))\(after)".utf8)
  }
}

/// Computes which lines fit on a screen.
private struct Room {
  let lines: [ArraySlice<UInt8>]
  let prompt: Int
  let rows: Int
  let columns: Int

  /// Whether some lines fit, with a note above and below them where others are omitted.
  func holds(_ some: Range<Int>) -> Bool {
    let notes = (some.lowerBound > 0 ? 1 : 0) + (some.upperBound < lines.count ? 1 : 0)
    guard some.count + notes <= rows else { return false }
    return some.reduce(notes) { $0 + height($1) } <= rows
  }

  /// Returns as many lines around one of them as fit; that one in any case.
  func lines(around line: Int) -> Range<Int> {
    var (first, end) = (line, line + 1)
    while true {
      let before = end - first
      if first > 0, holds(first - 1..<end) { first -= 1 }
      if end < lines.count, holds(first..<end + 1) { end += 1 }
      if end - first == before { return first..<end }
    }
  }

  /// The number of rows that a line takes, or slightly more: a character that is not ASCII may be
  /// two columns wide.
  private func height(_ line: Int) -> Int {
    let width = lines[line].reduce(line == 0 ? prompt : 0) { width, byte in
      switch byte {
      case UInt8(ascii: "\t"): width + 8
      case 0x20...0x7E: width + 1
      // The bytes of a character after its first one.
      case 0x80...0xBF: width
      default: width + 2
      }
    }
    return width / columns + 1
  }
}
