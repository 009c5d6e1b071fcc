import Readline

/// What a screen says about what happens: its last row, whatever the screen shows above it.
struct ScreenStatus: Equatable, Sendable {
  /// What takes its time.
  enum Activity: Equatable, Sendable {
    /// Nobody knows how long; the spinner turns.
    case working(String, Spinner)
    /// So much of it is done.
    case progress(String, fraction: Double)
  }

  /// What has happened.
  enum Message: Equatable, Sendable {
    case notice(String)
    case error(String)
  }

  var activity: Activity?
  var message: Message?

  /// The row: what is under way, what has happened and, where there is room, what stands at the
  /// right.
  func row(columns: Int, right: String = "") -> StyledText {
    var row = RowBuilder(columns: columns)
    switch activity {
    case .working(let what, let spinner):
      row.add("\(spinner.frame) ", .cyan)
      row.add(what, limit: columns / 2)
    case .progress(let what, let fraction):
      row.add(what, limit: columns / 3)
      row.add(" \(ProgressBar(fraction: fraction).text)", .cyan)
    case nil: break
    }
    add(message, to: &row, apart: activity != nil, leaving: DisplayWidth.of(right))
    row.addRight(right, .dim)
    return row.row
  }

  private func add(
    _ message: Message?, to row: inout RowBuilder, apart: Bool, leaving right: Int
  ) {
    guard let message else { return }
    if apart { row.add("  ") }
    switch message {
    // What went wrong is worth all the room; what went well is not.
    case .error(let text): row.add(text, [.bold, .red])
    case .notice(let text): row.add(text, .green, limit: row.room - (right > 0 ? right + 2 : 0))
    }
  }
}
