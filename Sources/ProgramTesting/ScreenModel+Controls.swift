extension ScreenModel {
  mutating func apply(_ control: UInt8) {
    switch control {
    case UInt8(ascii: "\r"): move(toColumn: 0)
    case UInt8(ascii: "\n"):
      isWrapPending = false
      lineFeed()
    case 0x08: move(toColumn: cursor.column - 1)
    case UInt8(ascii: "\t"): move(toColumn: (cursor.column / 8 + 1) * 8)
    default: break
    }
  }

  mutating func apply(_ sequence: EscapeSequence) {
    guard sequence.parameters != "ESC" else { return obeyEscape(sequence) }
    switch Unicode.Scalar(sequence.final) {
    case "A": move(toRow: max(cursor.row - sequence.number(), upperLimit))
    case "B": move(toRow: min(cursor.row + sequence.number(), lowerLimit))
    case "C": move(toColumn: cursor.column + sequence.number())
    case "D": move(toColumn: cursor.column - sequence.number())
    case "G": move(toColumn: sequence.number() - 1)
    case "d": move(toRow: sequence.number() - 1)
    case "H":
      move(toRow: sequence.number() - 1)
      move(toColumn: sequence.number(1) - 1)
    case "K": eraseInLine(sequence.number(default: 0))
    case "J": eraseInScreen(sequence.number(default: 0))
    case "P": deleteCharacters(sequence.number())
    case "@": shiftRight(by: min(sequence.number(), columnCount - cursor.column))
    case "X": erase(cursor.column..<min(columnCount, cursor.column + sequence.number()))
    case "m": setStyle(sequence)
    case "r": setRegion(sequence)
    case "h", "l": setMode(sequence)
    default: unknownSequences.append(sequence.description)
    }
  }

  private mutating func move(toColumn column: Int) {
    cursor.column = min(max(0, column), columnCount - 1)
    isWrapPending = false
  }

  private mutating func move(toRow row: Int) {
    cursor.row = min(max(0, row), rows.count - 1)
    isWrapPending = false
  }

  private mutating func eraseInLine(_ part: Int) {
    switch part {
    case 0: erase(cursor.column..<columnCount)
    case 1: erase(0..<cursor.column + 1)
    default: erase(0..<columnCount)
    }
  }

  private mutating func eraseInScreen(_ part: Int) {
    let blank = Array(repeating: Cell(), count: columnCount)
    switch part {
    case 0:
      erase(cursor.column..<columnCount)
      for row in rows.indices where row > cursor.row { rows[row] = blank }
    case 1:
      erase(0..<cursor.column + 1)
      for row in rows.indices where row < cursor.row { rows[row] = blank }
    default:
      for row in rows.indices { rows[row] = blank }
    }
  }

  private mutating func erase(_ columns: Range<Int>) {
    for column in columns { rows[cursor.row][column] = Cell() }
  }

  private mutating func deleteCharacters(_ count: Int) {
    let count = min(count, columnCount - cursor.column)
    rows[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
    rows[cursor.row] += Array(repeating: Cell(), count: count)
  }

  /// Applies insert mode, wrapping and marks around pastes; other modes have no effect here.
  private mutating func setMode(_ sequence: EscapeSequence) {
    let isOn = sequence.final == UInt8(ascii: "h")
    switch sequence.parameters {
    case "4": insertsCharacters = isOn
    case "?7": wrapsLines = isOn
    case "?2004": marksPastes = isOn
    case let other where other.hasPrefix("?"): break
    default: unknownSequences.append(sequence.description)
    }
  }
}
