/// A little wheel that shows that something is under way; whoever has a clock turns it.
struct Spinner: Equatable, Sendable {
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// How long a picture stands before the next, in milliseconds.
  static let interval = Duration.milliseconds(100)

  private var tick = 0

  /// What to show now: one letter, one column wide.
  var frame: Character { Self.frames[tick] }

  /// The next picture; after the last comes the first.
  mutating func turn() {
    tick = (tick + 1) % Self.frames.count
  }
}
