/// Times that a caller has named: none is waited for longer than for a hundred years, and no
/// calculation with them overflows.
extension Duration {
  static let longest = Duration.seconds(3_155_760_000)

  /// Not less than none, and not more than a hundred years.
  var bounded: Duration { min(max(self, .zero), Self.longest) }

  /// So many seconds, within that; none for what is no number.
  static func bounded(seconds: Double) -> Duration {
    guard seconds > 0 else { return .zero }
    return seconds < longest / .seconds(1) ? .seconds(seconds) : longest
  }
}
