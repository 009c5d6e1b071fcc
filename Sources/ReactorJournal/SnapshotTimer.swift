/// Decides when a snapshot is due, from the measured time of a replay.
///
/// It counts the time that a snapshot saves: reading, decoding and folding entries. The time to
/// decode the existing snapshot is not part of it, since a newer one would take as long.
struct SnapshotTimer: Sendable {
  enum Advice { case wait, measure, save }

  /// How many entries a replay must have to measure the time of one.
  private static let minimumCount = 100

  private let limit: Duration?
  /// The last entry that a snapshot covers.
  private var start: Int
  /// The last entry of the journal.
  private var last: Int
  /// The last entry that was replayed, and how long the replay took from the snapshot on.
  private var measured: Int
  private var time = Duration.zero
  /// How long one entry takes; `nil` until it is known.
  private var timePerEntry: Duration?

  /// Creates a timer.
  ///
  /// - Parameters:
  ///   - limit: How long a replay may take; `nil` for no limit.
  ///   - start: The last entry that a snapshot covers.
  init(limit: Duration?, start: Int = 0) {
    (self.limit, self.start, last, measured) = (limit, start, start, start)
  }

  /// Records a replay of this many entries through this one.
  mutating func recordReplay(of count: Int, through sequence: Int, taking time: Duration) {
    reach(sequence)
    guard count > 0 else { return }
    (measured, self.time) = (sequence, time)
    // A short and quick replay says little about the time of one entry.
    if count >= Self.minimumCount || limit.map({ time > $0 }) == true {
      timePerEntry = time / count
    }
  }

  /// Records that entries have been added through this one.
  mutating func reach(_ sequence: Int) { last = max(last, sequence) }

  /// Records that a snapshot at this entry has begun.
  mutating func begin(at sequence: Int) {
    (start, measured, time) = (sequence, sequence, .zero)
  }

  /// What to do now.
  var advice: Advice {
    guard let limit, last > start else { return .wait }
    if limit <= .zero { return .save }
    guard let timePerEntry else { return last - start >= Self.minimumCount ? .measure : .wait }
    return time + timePerEntry * (last - measured) > limit ? .save : .wait
  }
}
