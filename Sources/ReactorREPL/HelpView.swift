import CommandShell

/// Help that does not fit above the prompt: shown over the screen, one page at a time.
struct HelpView: Equatable, Sendable {
  private let text: String
  /// The index of the first line shown, from 0.
  private var first = 0

  init(text: String) { self.text = text }

  /// The number of rows that the whole text takes.
  func height(columns: Int) -> Int { HelpLines(text, columns).lines.count }

  /// The rows, no more than `height` and none wider than `columns`.
  func rows(columns: Int, height: Int, status: ScreenStatus) -> [StyledText] {
    let all = HelpLines(text, columns)
    let (room, count) = (Self.room(height), all.lines.count)
    let start = all.start(at: first, room)
    let end = all.end(from: start, room)
    let page = all.lines[start..<end].map { RowBuilder.row($0, columns: columns) }
    guard height > 2 else { return page }
    let place = "\(start + 1)–\(end) of \(count)"
    guard height >= Self.titledHeight else {
      let way = end < count ? "Enter: more" : "Enter: back"
      return page + [status.row(columns: columns, right: "\(place) · \(way)")]
    }
    var title = RowBuilder(columns: columns)
    title.add("Help", .bold)
    title.addRight("lines \(place)", .dim)
    let way = end < count ? "Enter or PgDn: more" : "Enter: back"
    return [title.row] + page + [status.row(columns: columns, right: way)]
  }

  /// Turns pages: down if `pages` is positive, else up.
  ///
  /// - Returns: Whether there was a page in that direction.
  mutating func turn(by pages: Int, columns: Int, height: Int) -> Bool {
    let (all, room) = (HelpLines(text, columns), Self.room(height))
    let start = all.start(at: first, room)
    first = start
    for _ in 0..<abs(pages) {
      first =
        pages > 0 ? all.start(at: all.end(from: first, room), room) : all.start(before: first, room)
    }
    return first != start
  }

  /// Returns the next page for printing, and moves past it.
  mutating func takePage(rows: Int, columns: Int) -> String {
    let all = HelpLines(text, columns)
    let end = all.end(from: min(first, all.lines.count), rows)
    let page = all.lines[min(first, end)..<end]
    first = end
    isEmpty = end >= all.lines.count
    let more = isEmpty ? [] : ["Enter: more"]
    return (page + more).joined(separator: "\n")
  }

  /// Whether all pages have been printed.
  private(set) var isEmpty = false

  /// The smallest height at which a row is used for the title.
  private static let titledHeight = 10

  private static func room(_ height: Int) -> Int {
    switch height {
    case ...2: max(1, height)
    case ..<titledHeight: height - 1
    default: height - 2
    }
  }
}

/// The lines of a help text in a window, and where a page may begin.
///
/// A page does not begin between a command and the lines indented below it, unless these are longer
/// than a page.
private struct HelpLines {
  private(set) var lines: [String] = []
  private var beginnings: [Int] = []

  init(_ text: String, _ columns: Int) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.first != " " { beginnings.append(lines.count) }
      lines += WordWrap.wrapped(String(line), to: columns, width: DisplayWidth.of)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The end of the page that begins with a line.
  func end(from start: Int, _ room: Int) -> Int {
    let most = start + max(1, room)
    guard most < lines.count else { return lines.count }
    return beginnings.last { start < $0 && $0 <= most } ?? most
  }

  /// The start of the page that has a line at its top.
  ///
  /// The last page is full, whatever the height of the window.
  func start(at line: Int, _ room: Int) -> Int {
    let last = beginnings.first { lines.count - $0 <= room } ?? max(lines.count - room, 0)
    return min(line, last)
  }

  /// The start of the page that ends before a line.
  func start(before line: Int, _ room: Int) -> Int {
    beginnings.first { $0 < line && line - $0 <= room && end(from: $0, room) >= line }
      ?? max(line - room, 0)
  }
}
