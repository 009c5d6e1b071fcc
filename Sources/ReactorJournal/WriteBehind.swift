/// What is shown before it is kept, and since when: no older than the window.
///
/// A batch is written when half of the window is over, so that the other half is left to write it.
/// Where the store takes longer, nothing more is shown until all is kept.
struct WriteBehind: Sendable {
  let window: Duration
  /// How long ago the journal was opened.
  private let elapsed: @Sendable () -> Duration
  /// How many mutations have been reduced, and how many are kept.
  private var reduced = 0
  private var kept = 0
  /// How many are in the batch that is being kept.
  private var underWay = 0
  /// Since when the oldest that is not kept may have been seen; `nil` where all are.
  private var since: Duration?
  /// When the batch that is being kept was taken: what is not in it is no older.
  private var taken: Duration?
  /// Whether that was longer ago than the window, and not all has been kept since.
  private(set) var isOverdue = false

  init(window: Duration, clock: any Clock<Duration>) {
    (self.window, elapsed) = (window, clock.stopwatch())
  }

  /// Called on the reactor.
  mutating func reduce() {
    reduced += 1
    if since == nil { since = elapsed() }
  }

  /// How long a batch may still fill, and how long after that the window is over.
  var rest: (pause: Duration, alarm: Duration) {
    let age = since.map { elapsed() - $0 } ?? .zero
    // What waits does so already until the batch is on the disk.
    if isOverdue { return (.zero, .zero) }
    return (window / 2 - age, window - age)
  }

  mutating func take() { taken = elapsed() }

  mutating func begin(_ count: Int) { underWay = count }

  /// The batch under way has been kept; called on the reactor, once what it held back is released.
  mutating func keep() {
    kept += underWay
    underWay = 0
    since = kept == reduced ? nil : taken
    // Not before: what is held back still would be overtaken.
    if since == nil { isOverdue = false }
  }

  /// The window is over that began when so many were kept.
  mutating func ring(after count: Int) {
    if kept == count, since != nil { isOverdue = true }
  }

  var keptCount: Int { kept }
}
