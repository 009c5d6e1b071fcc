/// The scroll region, the saved cursor and styles.
extension ScreenModel {
  /// What `ESC 7` stores and `ESC 8` restores.
  struct SavedCursor: Equatable {
    var position = Position(row: 0, column: 0)
    var isWrapPending = false
    var style: Set<Int> = []
  }

  /// Sequences without a bracket.
  mutating func obeyEscape(_ sequence: EscapeSequence) {
    switch Unicode.Scalar(sequence.final) {
    case "7":
      saved = SavedCursor(position: cursor, isWrapPending: isWrapPending, style: style)
    case "8":
      cursor = Position(
        row: min(saved.position.row, rows.count - 1),
        column: min(saved.position.column, columnCount - 1))
      (isWrapPending, style) = (saved.isWrapPending, saved.style)
    default: unknownSequences.append("ESC \(Unicode.Scalar(sequence.final))")
    }
  }

  /// Sets the first and last row of the region, from 1; the cursor moves to the first position.
  mutating func setRegion(_ sequence: EscapeSequence) {
    let top = sequence.number() - 1
    let bottom = min(sequence.number(1, default: rows.count), rows.count)
    guard top + 1 < bottom else { return }
    region = top..<bottom
    cursor = Position(row: 0, column: 0)
    isWrapPending = false
  }

  /// Sets the style of what is written from now on; without a code, none.
  mutating func setStyle(_ sequence: EscapeSequence) {
    for part in sequence.parameters.split(separator: ";", omittingEmptySubsequences: false) {
      let code = Int(part) ?? 0
      if code == 0 { style = [] } else { style.insert(code) }
    }
  }

  /// The first row that the cursor can move up to: it does not leave the region.
  var upperLimit: Int { cursor.row >= region.lowerBound ? region.lowerBound : 0 }

  /// The last row that the cursor can move down to.
  var lowerLimit: Int { cursor.row < region.upperBound ? region.upperBound - 1 : rows.count - 1 }
}
