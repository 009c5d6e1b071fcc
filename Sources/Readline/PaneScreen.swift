import CommandShell

/// Decides what to write so that the pane shows its rows: a plain value, bytes out.
///
/// The pane is at the bottom of the window; the prompt, and all that is printed, scroll in the
/// region above it. Rows are put where they belong between saving and restoring the cursor, so
/// that the line being typed is never touched. At the bottom rather than at the top, because
/// terminals remember only rows that leave the screen at its first row; because readline's own
/// clearing starts there; and because after a resize the prompt's place is known only relative to
/// the cursor: all below it can be erased, whatever a terminal has made of it.
struct PaneScreen {
  private let encoder: StyleEncoder
  private(set) var window: ConsoleWindow
  private var wanted: [StyledText] = []
  /// What the rows on the screen show, top to bottom; nil where that is not known.
  private var shown: [StyledText?] = []

  init(window: ConsoleWindow, encoder: StyleEncoder) {
    self.window = window
    self.encoder = encoder
  }

  /// How many rows of the window it takes.
  var height: Int { shown.count }

  /// How many rows are left for the prompt.
  var regionRows: Int { window.rows - height }

  /// Takes new rows; they are shown as far as there is room.
  mutating func want(_ rows: [StyledText]) {
    wanted = rows
  }

  /// Takes another size; where there is a pane, everything has to be laid out anew.
  mutating func resize(to window: ConsoleWindow) {
    self.window = window
  }

  /// Whether the pane has to be given room before it is painted, or its room be given back.
  ///
  /// A pane that needs less room keeps what it has: the prompt would be left standing apart.
  var needsLayout: Bool {
    let needed = min(wanted.count, window.paneRows)
    return needed > height || (needed == 0 && height > 0)
  }

  /// Writes the rows that differ from what is on the screen.
  mutating func paint() -> [UInt8] {
    let changes = changes
    guard !changes.isEmpty else { return [] }
    // Where the terminal takes a letter to be wider than the program does, nothing may wrap.
    var bytes = Array("\u{1B}7\u{1B}[?7l".utf8)
    for index in changes {
      let row = self.row(index)
      // Erased first: after a row that fills the window, the last letter would be erased.
      bytes += Array("\u{1B}[\(regionRows + index + 1);1H\u{1B}[K".utf8)
      bytes += encoder.bytes(of: row)
      shown[index] = row
    }
    return bytes + Array("\u{1B}[?7h\u{1B}8".utf8)
  }

  /// Makes room for the pane, the cursor being at the start of a line with nothing below it that
  /// has to stay; what is typed is to be drawn where the cursor is then.
  mutating func layOut() -> [UInt8] {
    let isNew = height == 0
    let rows = min(wanted.count, window.paneRows)
    shown = Array(repeating: nil, count: rows)
    guard rows > 0 else { return Self.wholeWindow }
    let room = String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A"
    let region = "\u{1B}7\u{1B}[1;\(regionRows)r\u{1B}8"
    // The first time the prompt comes to stand right above the pane.
    let place = isNew ? "\u{1B}[\(regionRows);1H" : ""
    return Self.wholeWindow + Array("\(room)\(region)\(place)".utf8)
  }

  /// Gives the whole window back, the cursor staying at the start of its line.
  mutating func leave() -> [UInt8] {
    guard height > 0 else { return [] }
    shown = []
    return Self.wholeWindow
  }

  /// Says that the screen has been cleared, and the pane with it.
  mutating func wasCleared() {
    shown = []
  }

  /// Scrolls the whole window again, and erases what is below the cursor.
  ///
  /// Setting a region moves the cursor: it is saved and fetched back.
  private static let wholeWindow = Array("\u{1B}7\u{1B}[r\u{1B}8\r\u{1B}[J".utf8)

  private var changes: [Int] {
    shown.indices.filter { shown[$0] != row($0) }
  }

  private func row(_ index: Int) -> StyledText {
    index < wanted.count ? wanted[index] : StyledText()
  }
}
