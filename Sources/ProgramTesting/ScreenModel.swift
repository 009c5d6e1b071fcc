/// The screen of a terminal, computed from the bytes that a program has written to it.
///
/// It has the control sequences that line editors and programs with a scroll region use, as xterm
/// has them. After a character in the last column the cursor stays there, and the next character
/// wraps.
public struct ScreenModel: Sendable, Equatable {
  /// A position on the screen, from zero at the top left.
  public struct Position: Sendable, Equatable {
    /// The row, from the top.
    public var row: Int
    /// The column, from the left.
    public var column: Int

    /// Creates a position.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// The position of the next character.
  public internal(set) var cursor = Position(row: 0, column: 0)
  /// The rows that have left the screen at the top, oldest first.
  public internal(set) var scrolledOff: [String] = []
  /// The escape sequences that this model does not have; if there are any, its text may be wrong.
  public internal(set) var unknownSequences: [String] = []

  /// One cell of the screen.
  struct Cell: Equatable {
    /// A character with its combining marks; "" for the second half of a wide character.
    var text = " "
    var style: Set<Int> = []
  }

  var rows: [[Cell]]
  var columnCount: Int
  /// The rows that scroll; the rows above and below them do not.
  var region: Range<Int>
  /// The style of the next character, as the codes that set it.
  var style: Set<Int> = []
  var saved = SavedCursor()
  var wrapsLines = true
  var isWrapPending = false
  var insertsCharacters = false
  /// Whether the program has requested marks around pasted text.
  public internal(set) var marksPastes = false
  var parser = EscapeParser()

  /// Creates an empty screen.
  public init(columns: Int = 80, rows: Int = 24) {
    columnCount = columns
    self.rows = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    region = 0..<rows
  }

  /// The visible rows, down to the last one that is not empty.
  ///
  /// Blanks at the end of a row are omitted, except for those before the cursor: a prompt ends in
  /// one.
  public var lines: [String] { lines(in: 0..<rows.count) }

  /// The visible rows as one text, for a snapshot.
  public var picture: String { lines.joined(separator: "\n") }

  /// All rows that were shown and not erased: those that have scrolled off, and the visible ones.
  public var history: [String] { scrolledOff + lines }

  /// As ``history``, without the ``pane``.
  public var conversation: [String] { scrolledOff + lines(in: 0..<region.upperBound) }

  /// The number of rows of the window.
  public var rowCount: Int { rows.count }

  /// The rows below those that scroll, including blank ones.
  public var pane: [String] { rows[region.upperBound...].map { Self.text($0) } }

  /// Returns the style of a text where it first occurs; nil if it does not.
  ///
  /// - Parameter text: The text, within one row.
  /// - Returns: The codes that set the style of its first character.
  public func style(of text: String) -> Set<Int>? {
    for row in rows {
      for column in row.indices where row[column...].map(\.text).joined().hasPrefix(text) {
        return row[column].style
      }
    }
    return nil
  }

  private func lines(in range: Range<Int>) -> [String] {
    var lines = range.map {
      Self.text(rows[$0], keeping: $0 == cursor.row ? cursor.column : 0)
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Applies bytes that the program has written.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch parser.take(byte) {
      case .none: break
      case .character(let scalar): put(scalar)
      case .control(let control): apply(control)
      case .sequence(let sequence): apply(sequence)
      }
    }
  }

  /// Changes the size, as xterm does: rows are cut or padded, text is not wrapped again, and all
  /// rows scroll.
  public mutating func resize(columns: Int, rows count: Int) {
    columnCount = columns
    while cursor.row >= count {
      scrolledOff.append(Self.text(rows.removeFirst()))
      cursor.row -= 1
    }
    let blanks = Array(repeating: Cell(), count: columns)
    rows = rows.prefix(count).map { Array(($0 + blanks).prefix(columns)) }
    rows += Array(repeating: blanks, count: count - rows.count)
    region = 0..<count
    cursor.column = min(cursor.column, columns - 1)
    isWrapPending = false
  }

  static func text(_ row: [Cell], keeping columns: Int = 0) -> String {
    let end = row.lastIndex { $0.text != " " } ?? -1
    return row[..<max(end + 1, columns)].map(\.text).joined()
  }
}

// MARK: Characters

extension ScreenModel {
  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    guard width > 0 else { return combine(scalar) }
    if isWrapPending || cursor.column + width > columnCount { wrap(before: width) }
    if insertsCharacters { shiftRight(by: width) }
    rows[cursor.row][cursor.column] = Cell(text: String(scalar), style: style)
    if width == 2 { rows[cursor.row][cursor.column + 1] = Cell(text: "", style: style) }
    cursor.column += width
    if cursor.column >= columnCount {
      cursor.column = columnCount - 1
      isWrapPending = wrapsLines
    }
  }

  private mutating func combine(_ scalar: Unicode.Scalar) {
    var column = isWrapPending ? cursor.column : cursor.column - 1
    if column > 0, rows[cursor.row][column].text.isEmpty { column -= 1 }
    if column >= 0 { rows[cursor.row][column].text.unicodeScalars.append(scalar) }
  }

  private mutating func wrap(before width: Int) {
    guard wrapsLines else {
      cursor.column = columnCount - width
      return
    }
    cursor.column = 0
    isWrapPending = false
    lineFeed()
  }

  /// Moves to the row below; in the last row of the region, the region scrolls.
  mutating func lineFeed() {
    guard cursor.row + 1 == region.upperBound else {
      cursor.row = min(cursor.row + 1, rows.count - 1)
      return
    }
    let gone = Self.text(rows.remove(at: region.lowerBound))
    // As in most terminals, rows are stored only if they leave the screen at its first row.
    if region.lowerBound == 0 { scrolledOff.append(gone) }
    rows.insert(Array(repeating: Cell(), count: columnCount), at: region.upperBound - 1)
  }

  mutating func shiftRight(by count: Int) {
    let blanks = Array(repeating: Cell(), count: count)
    rows[cursor.row].insert(contentsOf: blanks, at: cursor.column)
    rows[cursor.row].removeLast(count)
  }

  /// The number of columns of a character, with the most common East Asian ranges and emoji.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: scalar.properties.isGraphemeExtend ? 0 : 1
    }
  }
}
