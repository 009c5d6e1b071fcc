public import CommandShell

/// The status that a screen shows in its last row.
public struct ScreenStatus: Equatable, Sendable {
  /// Work in progress.
  public enum Activity: Equatable, Sendable {
    /// The duration is not known; the spinner turns.
    case working(String, Spinner)
    /// The fraction that is done is known.
    case progress(String, fraction: Double)
  }

  /// Something that has happened.
  public enum Message: Equatable, Sendable {
    /// Something was done.
    case notice(String)
    /// Something was done, and there is a problem.
    case warning(String)
    /// Something was not done.
    case error(String)
  }

  /// The work in progress, if any.
  public var activity: Activity?
  /// The last message, if any.
  public var message: Message?

  /// Creates a status of work in progress and a message.
  public init(activity: Activity? = nil, message: Message? = nil) {
    self.activity = activity
    self.message = message
  }

  /// The row: the work in progress, the message and, if it fits, a text at the right.
  public func row(columns: Int, right: String = "") -> StyledText {
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
    // An error or a warning may use the whole row; a notice leaves the text at the right in place.
    case .error(let text): row.add(text, [.bold, .red])
    case .warning(let text): row.add(text, .yellow)
    case .notice(let text): row.add(text, .green, limit: row.room - (right > 0 ? right + 2 : 0))
    }
  }
}

/// A character that shows that work is in progress; code with a clock turns it.
public struct Spinner: Equatable, Sendable {
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// How long each frame is shown.
  public static let interval = Duration.milliseconds(100)

  private var tick = 0

  /// Creates a spinner at its first frame.
  public init() {}

  /// The current frame: one character, one column wide.
  public var frame: Character { Self.frames[tick] }

  /// Moves to the next frame; the first follows the last.
  public mutating func turn() {
    tick = (tick + 1) % Self.frames.count
  }
}

/// A bar that fills up from left to right.
public struct ProgressBar: Equatable, Sendable {
  /// How much is done, from 0 to 1; values outside count as the nearer end.
  public var fraction: Double
  /// The number of places between the brackets.
  public var places: Int

  /// Creates a bar.
  public init(fraction: Double, places: Int = 10) {
    self.fraction = fraction
    self.places = places
  }

  private var share: Double { fraction.isNaN ? 0 : min(max(fraction, 0), 1) }

  /// The number of whole parts; 0.29 of 100 is 29, although the product is slightly less.
  private func parts(of whole: Int) -> Int { Int(share * Double(whole) + 1e-9) }

  /// The bar alone: full only if everything is done, empty only if nothing is.
  public var bar: String {
    var filled = parts(of: places)
    if filled == 0, share > 0 { filled = min(1, places) }
    return "[" + String(repeating: "#", count: filled)
      + DisplayText.blanks(places - filled) + "]"
  }

  /// The bar and the number: `[######    ] 60 %`.
  public var text: String { "\(bar) \(parts(of: 100)) %" }
}
