/// The state machine of shared commits: which of the waiting writes belong to a transaction, and
/// what follows if it fails.
///
/// A *write* is what one reactor has to store: a batch of entries, a snapshot, or another change.
/// Writes are taken in the order in which they were added. While one transaction is under way, the
/// writes that are added wait for the next. No time passes before a transaction begins.
///
/// ```
///          add              next              next             committed
///   idle ──────▶ scheduled ──────▶ writing ─────────▶ committing ─────────▶ idle or scheduled
///                                     │                   │
///                                     └───── failed ──────┴──▶ idle, scheduled or separating
/// ```
///
/// | event | idle | scheduled | writing | committing | separating |
/// |---|---|---|---|---|---|
/// | `add` | schedule | wait | wait | wait | wait |
/// | `next` | trap | write | write or commit | trap | trap |
/// | `committed` | trap | trap | trap | the group is complete | trap |
/// | `failed` | trap | trap | fail or separate | fail or separate | trap |
/// | `separated` | trap | trap | trap | trap | the next one, or the group is complete |
/// | `check` | end | stalled or continue | stalled or continue | stalled or continue | as before |
struct GroupCommitMachine: Sendable, Hashable {
  /// How much a write stores.
  struct Size: Sendable, Hashable {
    var entries: Int
    var bytes: Int
  }

  /// How much a group may store; a larger write is a group of its own.
  struct Limits: Sendable, Hashable {
    var entries = 4_096
    var bytes = 8 << 20
    /// How long writes are added to a transaction.
    var time = Duration.milliseconds(20)
  }

  private struct Group: Sendable, Hashable {
    var count = 0
    var size = Size(entries: 0, bytes: 0)
  }

  private enum State: Sendable, Hashable {
    case idle
    /// The writer has been scheduled, and has not begun.
    case scheduled
    /// A transaction is open.
    case writing(Group)
    case committing(Group)
    /// The group has failed. Each of its writes gets a transaction of its own; this many have yet
    /// to end.
    case separating(Int)
  }

  private enum Watch: Sendable, Hashable {
    case off
    /// A check is due, and this commit was under way when it was set up.
    case on(commit: UInt64, isStalled: Bool)
  }

  private let limits: Limits
  private var state = State.idle
  /// The writes that have not been taken, in order.
  private var waiting: ArraySlice<Size> = []
  private var watch = Watch.off
  /// The number of the commit that is under way, or of the last one.
  private(set) var commit: UInt64 = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// How many writes wait for a group.
  var waitingCount: Int { waiting.count }

  /// Whether a check is due.
  var isWatched: Bool { watch != .off }

  // MARK: Writes

  enum Addition: Sendable, Hashable {
    /// The write waits for the writer, which has been scheduled.
    case wait
    /// The caller has to schedule the writer, and to set up a check if the watch begins.
    case schedule(beginsWatch: Bool)
  }

  mutating func add(_ size: Size) -> Addition {
    waiting.append(size)
    guard state == .idle else { return .wait }
    schedule()
    guard watch == .off else { return .schedule(beginsWatch: false) }
    watch = .on(commit: commit, isStalled: false)
    return .schedule(beginsWatch: true)
  }

  private mutating func schedule() {
    state = .scheduled
    commit += 1
  }

  // MARK: A shared transaction

  enum Step: Sendable, Hashable {
    /// Write this many of the waiting writes; the first time, in a new transaction.
    case write(Int)
    case commit
  }

  /// Returns what the writer does next.
  ///
  /// Writes that are added while the group is being written become part of it, up to the limits.
  ///
  /// - Parameter time: How long the group has been written.
  /// - Returns: At first at least one write.
  mutating func next(after time: Duration) -> Step {
    var group: Group
    switch state {
    case .scheduled: group = Group()
    case .writing(let begun): group = begun
    case .idle, .committing, .separating: preconditionFailure("next in \(state)")
    }
    let count = time < limits.time || group.count == 0 ? take(into: &group) : 0
    state = count > 0 ? .writing(group) : .committing(group)
    return count > 0 ? .write(count) : .commit
  }

  private mutating func take(into group: inout Group) -> Int {
    var count = 0
    while let size = waiting.first {
      let entries = group.size.entries + size.entries
      let bytes = group.size.bytes + size.bytes
      guard group.count == 0 || entries <= limits.entries && bytes <= limits.bytes else { break }
      waiting.removeFirst()
      group.count += 1
      group.size = Size(entries: entries, bytes: bytes)
      count += 1
    }
    if waiting.isEmpty { waiting = [] }
    return count
  }

  /// Whether the writer continues with another group.
  enum Following: Sendable, Hashable { case end, schedule }

  /// Records that the group is durable.
  mutating func committed() -> Following {
    guard case .committing = state else { preconditionFailure("committed in \(state)") }
    return finish()
  }

  private mutating func finish() -> Following {
    state = .idle
    if waiting.isEmpty { return .end }
    schedule()
    return .schedule
  }

  // MARK: Failures

  enum Failure: Sendable, Hashable {
    /// All writes of the group fail with the same error.
    case fail(Following)
    /// Each write of the group gets a transaction of its own, in order.
    case separate
  }

  /// Records that the transaction failed, and that nothing of it is stored.
  ///
  /// - Parameter isShared: Whether the error concerns every write, so that none of them could be
  ///   written by itself.
  /// - Returns: Whether the writes fail, or are tried one by one.
  mutating func failed(isShared: Bool) -> Failure {
    switch state {
    case .writing(let group), .committing(let group):
      guard !isShared, group.count > 1 else { return .fail(finish()) }
      state = .separating(group.count)
      return .separate
    case .idle, .scheduled, .separating: preconditionFailure("failed in \(state)")
    }
  }

  /// Records that one of the separated writes has ended, in either way.
  ///
  /// - Returns: `nil` if another one follows.
  mutating func separated() -> Following? {
    guard case .separating(let count) = state else { preconditionFailure("separated in \(state)") }
    state = .separating(count - 1)
    return count > 1 ? nil : finish()
  }

  // MARK: Stalls

  enum Check: Sendable, Hashable {
    /// No commit is under way, and no further check is needed.
    case end
    /// Check again after the same time.
    case again
    /// As `again`; and the commit that is under way has to be reported.
    case stalled
  }

  /// Checks, at equal intervals, whether the same commit is under way as at the last check.
  ///
  /// A stall is reported once. It is over when nothing is under way, or when two commits have ended
  /// since the last check.
  mutating func check() -> Check {
    guard state != .idle, case .on(let last, let wasStalled) = watch else {
      watch = .off
      return .end
    }
    let isStalled = commit == last || wasStalled && commit < last + 2
    watch = .on(commit: commit, isStalled: isStalled)
    return isStalled && !wasStalled ? .stalled : .again
  }
}
