/// Limits times that a caller has given to a hundred years, so that no computation overflows.
extension Duration {
  static let longest = Duration.seconds(3_155_760_000)

  /// The time, at least zero and at most a hundred years.
  var bounded: Duration { min(max(self, .zero), Self.longest) }

  /// Returns a number of seconds within the same limits; zero if it is not a number.
  static func bounded(seconds: Double) -> Duration {
    guard seconds > 0 else { return .zero }
    return seconds < longest / .seconds(1) ? .seconds(seconds) : longest
  }
}
