#if Libedit
  import CEditline
#else
  import CReadline
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The size of the window.
public struct ConsoleWindow: Hashable, Sendable {
  /// The number of columns in a row.
  public var columns: Int
  /// The number of rows, the prompt's and the pane's together.
  public var rows: Int
  /// The number of rows that ``LineConsole/paint(_:)`` shows at most; 0 if the window is too low or
  /// the terminal cannot show them.
  public var paneRows: Int

  /// Creates a window of that size.
  public init(columns: Int, rows: Int, paneRows: Int) {
    self.columns = columns
    self.rows = rows
    self.paneRows = paneRows
  }
}

extension ConsoleWindow {
  /// Returns the current window; 80 by 24 if the size is not known.
  static func measured(canPaint: Bool) -> ConsoleWindow {
    var size = winsize()
    if ioctl(STDIN_FILENO, UInt(TIOCGWINSZ), &size) != 0 { size = winsize() }
    let rows = size.ws_row > 0 ? Int(size.ws_row) : environment("LINES") ?? 24
    let columns = size.ws_col > 0 ? Int(size.ws_col) : environment("COLUMNS") ?? 80
    return ConsoleWindow(
      columns: columns, rows: rows, paneRows: canPaint ? paneLimit(rows: rows) : 0)
  }

  /// The number of rows that a window needs to have a pane.
  public static let leastRows = 8

  /// The prompt keeps a quarter of the window, from four to eight rows: a long line wraps, and an
  /// answer should still be visible when the next line is typed.
  static func paneLimit(rows: Int) -> Int {
    rows < leastRows ? 0 : rows - min(max(rows / 4, 4), 8)
  }

  private static func environment(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The capabilities of the terminal, according to the environment.
struct TerminalTraits: Equatable, Sendable {
  /// Whether rows can be painted at any position, and a part of the screen can scroll alone.
  var canPaint: Bool
  /// Whether styles are wanted and can be shown.
  var showsStyles: Bool

  /// Terminals that have no scroll region, or one that is set with other control sequences.
  private static let unpaintable: Set<Substring> = [
    "", "dumb", "unknown", "emacs", "ansi", "pcansi", "cygwin", "cons25", "mach", "sun", "vt52",
  ]

  init(canPaint: Bool, showsStyles: Bool) {
    self.canPaint = canPaint
    self.showsStyles = showsStyles
  }

  init(term: String?, noColor: String?, isInteractive: Bool) {
    let family = (term ?? "").prefix { $0 != "-" }
    let isCapable = isInteractive && !Self.unpaintable.contains(family)
    canPaint = isCapable && CREADLINE_CAN_PAINT == 1
    showsStyles = isCapable && (noColor ?? "").isEmpty
  }

  static func found(isInteractive: Bool) -> TerminalTraits {
    TerminalTraits(
      term: getenv("TERM").map { String(cString: $0) },
      noColor: getenv("NO_COLOR").map { String(cString: $0) }, isInteractive: isInteractive)
  }
}
