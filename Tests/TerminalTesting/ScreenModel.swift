/// What a person sees on a terminal that received these bytes.
///
/// It knows what a line editor sends, with an xterm's manners: a character in the last column
/// leaves the cursor there, and only the next one goes to the next row.
public struct ScreenModel: Sendable, Equatable {
  /// A place on the screen, counted from zero at the top left.
  public struct Position: Sendable, Equatable {
    /// The row, from the top.
    public var row: Int
    /// The column, from the left.
    public var column: Int

    /// A place.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// Where the next character will go.
  public internal(set) var cursor = Position(row: 0, column: 0)
  /// The rows that have left the screen at the top, oldest first.
  public internal(set) var scrolledOff: [String] = []
  /// Escape sequences that this model does not know; a test that finds any has found a gap.
  public internal(set) var unknownSequences: [String] = []

  /// One place on the screen.
  struct Cell: Equatable {
    /// A character with its combining marks; "" is a wide one's second half.
    var text = " "
    var style: Set<Int> = []
  }

  var rows: [[Cell]]
  var columnCount: Int
  /// The rows that scroll; what is above and below them stays.
  var region: Range<Int>
  /// The style of what is written next, as the codes that set it.
  var style: Set<Int> = []
  var saved = SavedCursor()
  var wrapsLines = true
  var isWrapPending = false
  var insertsCharacters = false
  /// Whether the program has asked for marks around what is pasted.
  public internal(set) var marksPastes = false
  var parser = EscapeParser()

  /// An empty screen.
  public init(columns: Int = 80, rows: Int = 24) {
    columnCount = columns
    self.rows = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    region = 0..<rows
  }

  /// The visible rows down to the last that shows anything.
  ///
  /// Trailing blanks are left out, except for those before the cursor: a prompt ends in one.
  public var lines: [String] { lines(in: 0..<rows.count) }

  /// Everything that was ever shown and not erased, from the first row on.
  public var history: [String] { scrolledOff + lines }

  /// What was ever shown where lines scroll: all but the ``pane``.
  public var conversation: [String] { scrolledOff + lines(in: 0..<region.upperBound) }

  /// How many rows the window has.
  public var rowCount: Int { rows.count }

  /// The rows below those that scroll, blank ones included.
  public var pane: [String] { rows[region.upperBound...].map { Self.text($0) } }

  /// The codes that set the style of a text, where it is first seen; nil if it is not.
  ///
  /// - Parameter text: What to look for, within one row.
  /// - Returns: The codes in effect on its first character.
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

  /// Takes bytes from the program.
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

  /// Takes another size as an xterm does: rows are cut or padded, nothing flows, all rows scroll.
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

  /// The row below; at the region's last row the region scrolls, and at the window's nothing does.
  mutating func lineFeed() {
    guard cursor.row + 1 == region.upperBound else {
      cursor.row = min(cursor.row + 1, rows.count - 1)
      return
    }
    let gone = Self.text(rows.remove(at: region.lowerBound))
    // As in most terminals, what is above the region keeps its rows from being remembered.
    if region.lowerBound == 0 { scrolledOff.append(gone) }
    rows.insert(Array(repeating: Cell(), count: columnCount), at: region.upperBound - 1)
  }

  mutating func shiftRight(by count: Int) {
    let blanks = Array(repeating: Cell(), count: count)
    rows[cursor.row].insert(contentsOf: blanks, at: cursor.column)
    rows[cursor.row].removeLast(count)
  }

  /// Columns a character takes: enough of the East Asian ranges for tests.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: scalar.properties.isGraphemeExtend ? 0 : 1
    }
  }
}
