/// Where a reactor is in its life.
///
/// ```
/// idle ─▶ running ─▶ draining or stopping ─▶ stopped ─▶ idle again, by a restart
///   └───▶ stubbed ──────────┘
/// ```
///
/// It stands in every reactor, in one byte, and so has no values of its own. What a phase goes with
/// is elsewhere: the hooks of one that runs and where a stub writes its actions in
/// ``IsolatedExtras``; what can cut an end short in ``StopWait``. Lives are counted by the ledger.
@usableFromInline
enum Lifecycle: UInt8, Sendable {
  /// Nothing has been needed yet: there is no state, and no hook has been called.
  case idle
  case running
  /// A test has taken its place: actions are written down, and the states are the test's.
  case stubbed
  /// Everything sent before the stop has been taken; effects run to their ends.
  case draining
  /// The same; what still runs is about to be cancelled.
  case stopping
  /// It takes nothing, and its last state can be read.
  case stopped

  /// Whether a stop begins here; called again, it has nothing to begin.
  @inlinable var canEnd: Bool { self == .running || self == .stubbed }

  /// Whether an end has begun, and has yet to come.
  @inlinable var isEnding: Bool { self == .draining || self == .stopping }
}

/// What the end of a life waits for, and whether it is to wait no longer.
struct StopWait: Sendable {
  /// The life whose `stop()` has been called again.
  var hurried: UInt32?
  /// What to open then.
  var latch: Latch?

  var isNone: Bool { hurried == nil && latch == nil }
}
