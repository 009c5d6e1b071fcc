/// What lets a program write elsewhere and come back: the scroll region, the saved cursor, styles.
extension ScreenModel {
  /// What `ESC 7` keeps for `ESC 8`.
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

  /// The region's first and last row, counted from 1; the cursor goes to the window's first place.
  mutating func setRegion(_ sequence: EscapeSequence) {
    let top = sequence.number() - 1
    let bottom = min(sequence.number(1, default: rows.count), rows.count)
    guard top + 1 < bottom else { return }
    region = top..<bottom
    cursor = Position(row: 0, column: 0)
    isWrapPending = false
  }

  /// The style of what is written from now on; without a code, none.
  mutating func setStyle(_ sequence: EscapeSequence) {
    for part in sequence.parameters.split(separator: ";", omittingEmptySubsequences: false) {
      let code = Int(part) ?? 0
      if code == 0 { style = [] } else { style.insert(code) }
    }
  }

  /// How far up the cursor is moved from where it is: not out of the region.
  var upperLimit: Int { cursor.row >= region.lowerBound ? region.lowerBound : 0 }

  /// How far down.
  var lowerLimit: Int { cursor.row < region.upperBound ? region.upperBound - 1 : rows.count - 1 }
}
