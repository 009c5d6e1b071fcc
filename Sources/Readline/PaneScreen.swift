import CommandShell

/// Computes the bytes that show the pane's rows, as a plain value.
///
/// The pane is at the bottom of the window; the prompt and all output scroll in the region above
/// it. Rows are written at their positions between saving and restoring the cursor, so the typed
/// line is not touched. The pane is at the bottom for three reasons. Terminals store only rows that
/// leave the screen at its first row. readline's own clearing starts there. After a resize the
/// prompt's position is known only relative to the cursor: everything below it can be erased,
/// whatever the terminal has changed.
struct PaneScreen {
  private let encoder: StyleEncoder
  private(set) var window: ConsoleWindow
  private var wanted: [StyledText] = []
  /// The content of the rows on the screen, top to bottom; nil if it is not known.
  private var shown: [StyledText?] = []

  init(window: ConsoleWindow, encoder: StyleEncoder) {
    self.window = window
    self.encoder = encoder
  }

  /// The number of rows that the pane takes.
  var height: Int { shown.count }

  /// The number of rows that are left for the prompt.
  var regionRows: Int { window.rows - height }

  /// Sets the rows to show; they are shown as far as they fit.
  mutating func want(_ rows: [StyledText]) {
    wanted = rows
  }

  /// Sets the window's size; if there is a pane, everything has to be laid out again.
  mutating func resize(to window: ConsoleWindow) {
    self.window = window
  }

  /// Whether the pane has to grow or disappear before it is painted.
  ///
  /// A pane that needs fewer rows keeps its height: otherwise a gap would separate the prompt from
  /// it.
  var needsLayout: Bool {
    let needed = min(wanted.count, window.paneRows)
    return needed > height || (needed == 0 && height > 0)
  }

  /// Returns the bytes for the rows that differ from those on the screen.
  mutating func paint() -> [UInt8] {
    let changes = changes
    guard !changes.isEmpty else { return [] }
    // No row may wrap, even if the terminal takes a character to be wider than the program does.
    var bytes = Array("\u{1B}7\u{1B}[?7l".utf8)
    for index in changes {
      let row = self.row(index)
      // Erased first: erasing after a row that fills the window would erase its last character.
      bytes += Array("\u{1B}[\(regionRows + index + 1);1H\u{1B}[K".utf8)
      bytes += encoder.bytes(of: row)
      shown[index] = row
    }
    return bytes + Array("\u{1B}[?7h\u{1B}8".utf8)
  }

  /// Lays out the pane.
  ///
  /// The cursor must be at the start of a line, with nothing below it that has to stay; the typed
  /// line is then drawn at the cursor.
  mutating func layOut() -> [UInt8] {
    let isNew = height == 0
    let rows = min(wanted.count, window.paneRows)
    shown = Array(repeating: nil, count: rows)
    guard rows > 0 else { return Self.wholeWindow }
    let room = String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A"
    let region = "\u{1B}7\u{1B}[1;\(regionRows)r\u{1B}8"
    // The first time, the prompt moves to the row above the pane.
    let place = isNew ? "\u{1B}[\(regionRows);1H" : ""
    return Self.wholeWindow + Array("\(room)\(region)\(place)".utf8)
  }

  /// Makes the whole window scroll again; the cursor stays at the start of its line.
  mutating func leave() -> [UInt8] {
    guard height > 0 else { return [] }
    shown = []
    return Self.wholeWindow
  }

  /// Records that the screen, and the pane with it, has been cleared.
  mutating func wasCleared() {
    shown = []
  }

  /// Makes the whole window scroll again, and erases what is below the cursor.
  ///
  /// Setting a region moves the cursor, so its position is saved and restored.
  private static let wholeWindow = Array("\u{1B}7\u{1B}[r\u{1B}8\r\u{1B}[J".utf8)

  private var changes: [Int] {
    shown.indices.filter { shown[$0] != row($0) }
  }

  private func row(_ index: Int) -> StyledText {
    index < wanted.count ? wanted[index] : StyledText()
  }
}
