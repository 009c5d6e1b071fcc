/// Says when a snapshot is worth its while: by how long replaying would take, as measured.
struct SnapshotTimer: Sendable {
  private let limit: Duration?
  /// How long one entry takes.
  private let each: Duration
  /// How many entries there are since the last snapshot.
  private var entries: Int

  /// - Parameters:
  ///   - limit: How long replaying may take; `nil` for any time.
  ///   - folded: How many entries were replayed.
  ///   - time: How long that took.
  init(limit: Duration?, folded: Int, taking time: Duration) {
    self.limit = limit
    // Where little was replayed, little is known; a first guess is on the slow side.
    each = folded >= 100 ? time / folded : .microseconds(20)
    entries = folded
  }

  mutating func add(_ count: Int) { entries += count }

  /// - Returns: Whether it is time; then it counts anew.
  mutating func isDue() -> Bool {
    guard let limit, entries > 0, each * entries > limit else { return false }
    entries = 0
    return true
  }
}
