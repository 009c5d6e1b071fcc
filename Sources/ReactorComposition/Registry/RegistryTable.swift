public import Reactor
import ReactorRuntime

/// The entries of a registry, and those that are unused, in the order in which their last use
/// ended.
///
/// A plain value without clocks and tasks; the registry guards it with its lock.
@usableFromInline
struct RegistryTable<ID: Hashable & Sendable, R: Reactor> {
  @usableFromInline typealias Entry = RegistryEntry<ID, R>
  typealias LateReactor = (lease: RegistryLease<ID, R>, receipt: StopReceipt)

  @usableFromInline var entries: [ID: Entry] = [:]
  var lastEntry: UInt64 = 0
  /// The list of unused entries; the first has been unused for the longest time.
  @usableFromInline unowned(unsafe) var first: Entry?
  @usableFromInline unowned(unsafe) var last: Entry?
  /// Whether a task sleeps until the first entry's idle time has passed.
  @usableFromInline var isSwept = false
  var sweeper: Task<Void, Never>?
  @usableFromInline var isClosed = false
  /// How to stop reactors that are still being created.
  var closing = StopMode.drain
  /// How many calls that stop all reactors are running.
  var stops = 0
  /// Reactors that were created meanwhile and are being stopped; one of these calls reports what
  /// was cut short in them.
  var late: [LateReactor] = []
  var lastWaiter: UInt64 = 0
  /// Opened when no entry is left.
  var emptyLatches: [Latch] = []

  @usableFromInline
  init() {}

  mutating func makeEntry(for id: ID) -> Entry {
    lastEntry += 1
    let entry = Entry(id, number: lastEntry)
    entries[id] = entry
    return entry
  }

  /// All entries, in the order of their first use.
  var ordered: [Entry] { Self.inOrder(Array(entries.values)) }

  /// The live entries; unsorted, so that nothing is sorted under the lock.
  var live: [Entry] { entries.values.filter { $0.phase == .live } }

  static func inOrder(_ entries: [Entry]) -> [Entry] { entries.sorted { $0.number < $1.number } }

  // MARK: Using

  @inlinable
  mutating func lease(_ id: ID) -> RegistryLease<ID, R>? {
    guard let entry = entries[id] else { return nil }
    return lease(entry)
  }

  @inlinable
  mutating func lease(_ entry: Entry) -> RegistryLease<ID, R>? {
    guard entry.phase == .live, let reactor = entry.reactor else { return nil }
    if entry.leases == 0 { unlink(entry) }
    entry.leases += 1
    return RegistryLease(entry, reactor)
  }

  /// - Returns: Whether the entry is unused now, and a task has to be started that sleeps.
  @inlinable
  mutating func endLease(_ entry: Entry, at now: Duration) -> Bool {
    entry.leases -= 1
    guard entry.leases == 0, entry.phase == .live else { return false }
    return append(entry, at: now)
  }

  // MARK: Idle

  /// - Returns: Whether a task has to be started that sleeps.
  @inlinable
  mutating func append(_ entry: Entry, at now: Duration) -> Bool {
    // Two threads may have read the clock in another order than that in which they get here.
    entry.idleSince = max(now, last?.idleSince ?? now)
    entry.before = last
    entry.after = nil
    if let last { last.after = entry } else { first = entry }
    last = entry
    defer { isSwept = true }
    return !isSwept
  }

  @inlinable
  mutating func unlink(_ entry: Entry) {
    let (before, after) = (entry.before, entry.after)
    guard before != nil || first === entry else { return }
    if let before { before.after = after } else { first = after }
    if let after { after.before = before } else { last = before }
    (entry.before, entry.after) = (nil, nil)
  }

  // MARK: Ending

  /// Removes an entry that has ended.
  ///
  /// - Returns: The latches to open.
  mutating func remove(_ entry: Entry) -> [Latch] {
    entry.phase = .removed
    if entries[entry.id] === entry { entries[entry.id] = nil }
    // Frees the memory that a burst of keys has needed.
    if entries.capacity > 4096, entries.count * 8 < entries.capacity {
      entries = Dictionary(uniqueKeysWithValues: entries.map { ($0, $1) })
    }
    guard entries.isEmpty else { return [] }
    defer { emptyLatches = [] }
    return emptyLatches
  }
}

/// The user's clock without its type of instants: the time since the registry was created.
@usableFromInline
struct RegistryClock: Sendable {
  @usableFromInline let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
