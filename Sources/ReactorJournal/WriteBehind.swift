/// Tracks the mutations that are visible and not yet durable, and how old the oldest of them is.
///
/// A batch is written when half of the window has passed, which leaves the other half for the
/// write. If the store takes longer, nothing more becomes visible until everything is durable.
struct WriteBehind: Sendable {
  let window: Duration
  /// The time since the journal was opened.
  private let elapsed: @Sendable () -> Duration
  /// How many mutations have been reduced, and how many are durable.
  private var reduced = 0
  private var durable = 0
  /// How many mutations the batch has that is being written.
  private var inFlight = 0
  /// Since when the oldest mutation that is not durable may have been visible; `nil` if all are
  /// durable.
  private var since: Duration?
  /// When the batch that is being written was taken; mutations that are not in it are no older.
  private var taken: Duration?
  /// Whether the window has passed, and not everything has been made durable since.
  private(set) var isOverdue = false

  init(window: Duration, clock: any Clock<Duration>) {
    (self.window, elapsed) = (window, clock.stopwatch())
  }

  /// Called on the reactor.
  mutating func reduce() {
    reduced += 1
    if since == nil { since = elapsed() }
  }

  /// How long the batch may still grow, and how long until the window has passed.
  var delays: (pause: Duration, overdue: Duration) {
    let age = since.map { elapsed() - $0 } ?? .zero
    // Outputs already wait for this batch, so nothing is gained by waiting.
    if isOverdue { return (.zero, .zero) }
    return (window / 2 - age, window - age)
  }

  mutating func take() { taken = elapsed() }

  mutating func begin(_ count: Int) { inFlight = count }

  /// The batch is durable; called on the reactor, after the outputs that waited for it are
  /// released.
  mutating func markDurable() {
    durable += inFlight
    inFlight = 0
    since = durable == reduced ? nil : taken
    // Not earlier: new outputs would overtake those that still wait.
    if since == nil { isOverdue = false }
  }

  /// Marks the window as overdue, unless more has been made durable since it began.
  mutating func markOverdue(after count: Int) {
    if durable == count, since != nil { isOverdue = true }
  }

  var durableCount: Int { durable }
}
