/// Builds one row of a screen from left to right, never wider than the window.
public struct RowBuilder {
  /// The row so far.
  public private(set) var row = StyledText()
  private let columns: Int
  private var used = 0

  /// Creates an empty row of a window of that width.
  public init(columns: Int) { self.columns = columns }

  /// Returns a row with one text.
  public static func row(_ text: String, _ style: TextStyle = [], columns: Int) -> StyledText {
    var row = RowBuilder(columns: columns)
    row.add(text, style)
    return row.row
  }

  /// The number of columns that are left.
  public var room: Int { columns - used }

  /// Adds as much of a text as fits, and at most `limit` columns.
  public mutating func add(_ text: String, _ style: TextStyle = [], limit: Int = .max) {
    let (fitted, width) = DisplayText.fitted(text, to: min(room, limit))
    row.append(fitted, style)
    used += width
  }

  /// Adds a text only if all of it fits.
  public mutating func addWhole(_ text: String, _ style: TextStyle = []) {
    if DisplayWidth.of(text) <= room { add(text, style) }
  }

  /// Adds a text at the right end of the row, with a gap before it; nothing if it does not fit.
  public mutating func addRight(_ text: String, _ style: TextStyle = []) {
    let width = DisplayWidth.of(text)
    guard width > 0, width + (used > 0 ? 2 : 0) <= room else { return }
    fill(to: columns - width)
    add(text, style)
  }

  /// Adds blanks up to a column.
  public mutating func fill(to column: Int) {
    let blanks = min(column, columns) - used
    guard blanks > 0 else { return }
    row.append(DisplayText.blanks(blanks))
    used += blanks
  }
}

/// Formats numbers for users.
public enum NumberText {
  /// The number with a comma before each group of three digits.
  public static func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// A number with a noun: `1 task`, `2 tasks`.
  public static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
