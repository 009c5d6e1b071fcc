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

  /// A cell holds one character with its combining marks; "" is a wide one's second half.
  var rows: [[String]]
  var columnCount: Int
  var isWrapPending = false
  var insertsCharacters = false
  var parser = EscapeParser()

  /// An empty screen.
  public init(columns: Int = 80, rows: Int = 24) {
    columnCount = columns
    self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The visible rows down to the last that shows anything.
  ///
  /// Trailing blanks are left out, except for those before the cursor: a prompt ends in one.
  public var lines: [String] {
    var lines = rows.map { Self.text($0) }
    lines[cursor.row] = Self.text(rows[cursor.row], keeping: cursor.column)
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Everything that was ever shown and not erased, from the first row on.
  public var history: [String] { scrolledOff + lines }

  /// Takes bytes from the program.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch parser.take(byte) {
      case .none: break
      case .character(let scalar): put(scalar)
      case .control(let control): obey(control)
      case .sequence(let sequence): obey(sequence)
      }
    }
  }

  /// Takes another size as an xterm does: rows are cut or padded, nothing flows.
  public mutating func resize(columns: Int, rows count: Int) {
    columnCount = columns
    while rows.count > count, cursor.row > 0 {
      scrolledOff.append(Self.text(rows.removeFirst()))
      cursor.row -= 1
    }
    let blanks = Array(repeating: " ", count: columns)
    rows = rows.prefix(count).map { Array(($0 + blanks).prefix(columns)) }
    rows += Array(repeating: blanks, count: count - rows.count)
    cursor.column = min(cursor.column, columns - 1)
    isWrapPending = false
  }

  static func text(_ row: [String], keeping columns: Int = 0) -> String {
    let end = row.lastIndex { $0 != " " } ?? -1
    return row[..<max(end + 1, columns)].joined()
  }
}

// MARK: Characters

extension ScreenModel {
  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    guard width > 0 else { return combine(scalar) }
    if isWrapPending || cursor.column + width > columnCount { wrap() }
    if insertsCharacters { shiftRight(by: width) }
    rows[cursor.row][cursor.column] = String(scalar)
    if width == 2 { rows[cursor.row][cursor.column + 1] = "" }
    cursor.column += width
    if cursor.column >= columnCount {
      cursor.column = columnCount - 1
      isWrapPending = true
    }
  }

  private mutating func combine(_ scalar: Unicode.Scalar) {
    var column = isWrapPending ? cursor.column : cursor.column - 1
    if column > 0, rows[cursor.row][column].isEmpty { column -= 1 }
    if column >= 0 { rows[cursor.row][column].unicodeScalars.append(scalar) }
  }

  private mutating func wrap() {
    cursor.column = 0
    isWrapPending = false
    lineFeed()
  }

  mutating func lineFeed() {
    if cursor.row + 1 < rows.count {
      cursor.row += 1
    } else {
      scrolledOff.append(Self.text(rows.removeFirst()))
      rows.append(Array(repeating: " ", count: columnCount))
    }
  }

  mutating func shiftRight(by count: Int) {
    let blanks = Array(repeating: " ", count: count)
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
