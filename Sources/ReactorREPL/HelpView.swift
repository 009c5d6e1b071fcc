import CommandShell

/// Help that is longer than the room above the prompt: shown over the screen, a page at a time.
struct HelpView: Equatable, Sendable {
  private let text: String
  /// The first line on show, from 0.
  private var first = 0

  init(text: String) { self.text = text }

  /// How many rows all of it takes.
  func height(columns: Int) -> Int { lines(columns).count }

  /// The rows, no more than `height` and none wider than `columns`.
  func rows(columns: Int, height: Int, status: ScreenStatus) -> [StyledText] {
    let lines = lines(columns)
    let room = Self.room(height)
    let start = start(of: lines.count, room)
    let page = lines[start...].prefix(room).map { RowBuilder.row($0, columns: columns) }
    guard height > 2 else { return page }
    let last = start + page.count
    var title = RowBuilder(columns: columns)
    title.add("Help", .bold)
    title.addRight("lines \(start + 1)–\(last) of \(lines.count)", .dim)
    let way = last < lines.count ? "Enter or PgDn: more" : "Enter: back"
    return [title.row] + page + [status.row(columns: columns, right: way)]
  }

  /// Turns pages: down if there are more than none, else up.
  ///
  /// - Returns: Whether there was a page to turn to.
  mutating func turn(by pages: Int, columns: Int, height: Int) -> Bool {
    let (count, room) = (lines(columns).count, Self.room(height))
    let start = start(of: count, room)
    first = min(max(start + pages * room, 0), max(count - room, 0))
    return first != start
  }

  /// Takes the next page off, for where it is printed.
  mutating func takePage(rows: Int, columns: Int) -> String {
    let lines = lines(columns)
    let page = lines[min(first, lines.count)...].prefix(rows)
    first += page.count
    isEmpty = first >= lines.count
    let more = isEmpty ? [] : ["Enter: more"]
    return (page + more).joined(separator: "\n")
  }

  /// Whether all pages have been taken.
  private(set) var isEmpty = false

  private static func room(_ height: Int) -> Int { max(1, height > 2 ? height - 2 : height) }

  /// The last page is full, however high the window has become.
  private func start(of count: Int, _ room: Int) -> Int { min(first, max(count - room, 0)) }

  private func lines(_ columns: Int) -> [String] {
    WordWrap.wrapped(text, to: columns, width: DisplayWidth.of)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
