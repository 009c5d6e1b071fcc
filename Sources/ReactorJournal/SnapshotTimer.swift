/// Says when a snapshot is worth its while: by how long replaying would take, as measured.
///
/// What it goes by is what a snapshot saves: reading, decoding and folding entries. Decoding the
/// snapshot that there is already is not part of it; with a newer one that would take as long.
struct SnapshotTimer: Sendable {
  enum Advice { case wait, measure, save }

  /// How many entries have to be replayed to know how long one takes.
  private static let enough = 100

  private let limit: Duration?
  /// The last entry that is in a snapshot.
  private var start: Int
  /// The last entry there is.
  private var last: Int
  /// The last entry that was replayed, and how long that took from the start.
  private var measured: Int
  private var time = Duration.zero
  /// How long one entry takes, once that is known.
  private var each: Duration?

  /// - Parameters:
  ///   - limit: How long replaying may take; `nil` for any time.
  ///   - start: The last entry that is in a snapshot.
  init(limit: Duration?, start: Int = 0) {
    (self.limit, self.start, last, measured) = (limit, start, start, start)
  }

  /// So many entries have been replayed, through this one.
  mutating func learn(_ count: Int, through sequence: Int, taking time: Duration) {
    reach(sequence)
    guard count > 0 else { return }
    (measured, self.time) = (sequence, time)
    // Where little was replayed, and quickly, little is known.
    if count >= Self.enough || limit.map({ time > $0 }) == true { each = time / count }
  }

  /// Entries have been added, through this one.
  mutating func reach(_ sequence: Int) { last = max(last, sequence) }

  /// A snapshot of this entry is made.
  mutating func begin(at sequence: Int) {
    (start, measured, time) = (sequence, sequence, .zero)
  }

  /// What to do now.
  var advice: Advice {
    guard let limit, last > start else { return .wait }
    if limit <= .zero { return .save }
    guard let each else { return last - start >= Self.enough ? .measure : .wait }
    return time + each * (last - measured) > limit ? .save : .wait
  }
}
