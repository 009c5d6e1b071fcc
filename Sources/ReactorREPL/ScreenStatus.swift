public import CommandShell

/// What a screen says about what happens: its last row, whatever the screen shows above it.
public struct ScreenStatus: Equatable, Sendable {
  /// What takes its time.
  public enum Activity: Equatable, Sendable {
    /// It is not known how long; the spinner turns.
    case working(String, Spinner)
    /// So much of it is done.
    case progress(String, fraction: Double)
  }

  /// What has happened.
  public enum Message: Equatable, Sendable {
    case notice(String)
    case error(String)
  }

  /// What takes its time, if anything.
  public var activity: Activity?
  /// What has happened, if anything.
  public var message: Message?

  /// What is under way, and what has happened.
  public init(activity: Activity? = nil, message: Message? = nil) {
    self.activity = activity
    self.message = message
  }

  /// The row: what is under way, what has happened and, where there is room, what stands at the
  /// right.
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
    // What went wrong is worth all the room; what went well is not.
    case .error(let text): row.add(text, [.bold, .red])
    case .notice(let text): row.add(text, .green, limit: row.room - (right > 0 ? right + 2 : 0))
    }
  }
}

/// A little wheel that shows that something is under way; what has a clock turns it.
public struct Spinner: Equatable, Sendable {
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// How long a picture stands before the next, in milliseconds.
  public static let interval = Duration.milliseconds(100)

  private var tick = 0

  /// The wheel's first picture.
  public init() {}

  /// What to show now: one letter, one column wide.
  public var frame: Character { Self.frames[tick] }

  /// The next picture; after the last comes the first.
  public mutating func turn() {
    tick = (tick + 1) % Self.frames.count
  }
}

/// A bar that fills up from left to right.
public struct ProgressBar: Equatable, Sendable {
  /// How much is done: from 0 to 1; what is beyond is taken for the end it is beyond.
  public var fraction: Double
  /// How many places the bar has between its brackets.
  public var places: Int

  /// A bar so far filled.
  public init(fraction: Double, places: Int = 10) {
    self.fraction = fraction
    self.places = places
  }

  private var share: Double { fraction.isNaN ? 0 : min(max(fraction, 0), 1) }

  /// So many whole parts; 0.29 of 100 is 29, though it is computed as a little less.
  private func parts(of whole: Int) -> Int { Int(share * Double(whole) + 1e-9) }

  /// The bar alone: full only when everything is done, empty only when nothing is.
  public var bar: String {
    var filled = parts(of: places)
    if filled == 0, share > 0 { filled = min(1, places) }
    return "[" + String(repeating: "#", count: filled)
      + DisplayText.blanks(places - filled) + "]"
  }

  /// The bar and the number: `[######    ] 60 %`.
  public var text: String { "\(bar) \(parts(of: 100)) %" }
}
