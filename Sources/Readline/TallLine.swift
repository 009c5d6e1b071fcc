import CommandShell

/// What is drawn of a line that its line breaks make higher than the screen: the lines around the
/// cursor, and how many are left out above and below.
///
/// readline would draw all of them, those below the screen one over the other in its last row.
struct TallLine: Equatable {
  /// What is drawn in the line's place.
  private(set) var text: [UInt8]
  /// Where the cursor is in it.
  private(set) var point: Int

  /// What is drawn of a line; nil if all of it has room.
  ///
  /// - Parameters:
  ///   - line: The line, with its line breaks.
  ///   - point: Where the cursor is in it.
  ///   - prompt: How many columns the prompt takes.
  ///   - rows: How many rows there are, at least two.
  ///   - columns: How many columns.
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

/// Which lines have room on a screen.
private struct Room {
  let lines: [ArraySlice<UInt8>]
  let prompt: Int
  let rows: Int
  let columns: Int

  /// Whether some lines have room, and a note above and below them where others are left out.
  func holds(_ some: Range<Int>) -> Bool {
    let notes = (some.lowerBound > 0 ? 1 : 0) + (some.upperBound < lines.count ? 1 : 0)
    guard some.count + notes <= rows else { return false }
    return some.reduce(notes) { $0 + height($1) } <= rows
  }

  /// As many lines around one of them as there is room for; that one in any case.
  func lines(around line: Int) -> Range<Int> {
    var (first, end) = (line, line + 1)
    while true {
      let before = end - first
      if first > 0, holds(first - 1..<end) { first -= 1 }
      if end < lines.count, holds(first..<end + 1) { end += 1 }
      if end - first == before { return first..<end }
    }
  }

  /// How many rows a line takes, or a few more: what is not ASCII may be two columns wide.
  private func height(_ line: Int) -> Int {
    let width = lines[line].reduce(line == 0 ? prompt : 0) { width, byte in
      switch byte {
      case UInt8(ascii: "\t"): width + 8
      case 0x20...0x7E: width + 1
      // The bytes of a character behind its first one.
      case 0x80...0xBF: width
      default: width + 2
      }
    }
    return width / columns + 1
  }
}
