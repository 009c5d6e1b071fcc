import ReactorRuntime
import TestLimits
import Foundation
import Reactor
import ReactorJournal
import TestSupport

@testable import ReactorDistribution

/// What a database does that it should, and, to see that the checks notice, what it should not.
struct SimulatedFaults: Sendable {
  /// One in so many answers gets lost after the commit; `nil` for none.
  var losesAnswersOneIn: Int?
  /// Appends look at the owner's row without locking it: what `FOR KEY SHARE` comes to.
  var appendsWithoutLock = false
  /// Appends do not look at the epoch.
  var appendsWithoutEpoch = false
  /// One in so many appends is acknowledged and lost; `nil` for none.
  var losesAppendsOneIn: Int?
  /// Commands are not unique.
  var repeatsCommands = false
}

/// A database as a server is one: rows are locked from a statement's look at them to its commit,
/// what has not been committed is not seen, and a failover takes back what had not been copied.
final class SimulatedDatabase: Sendable {
  private struct State: Sendable {
    var contents = ClusterStoreContents()
    /// What it was before each of the last commits.
    var before: [ClusterStoreContents] = []
    var locks = RowLocks()
    /// How often it has failed over, or been started anew: what was under way then is gone.
    var generation = 0
    var slowness = 5
  }

  let faults: SimulatedFaults
  private let state = Guarded(State())

  init(_ faults: SimulatedFaults) { self.faults = faults }

  var contents: ClusterStoreContents { state.withLock { $0.contents } }

  /// An entry that was committed.
  struct Commit: Sendable, Hashable {
    let key: JournalKey
    let entry: JournalEntry
    let epoch: Int
    let time: Duration
  }

  /// How many statements it was asked.
  let statements = Guarded(0)

  /// Changes the contents without the knowledge of any host.
  func seed(_ body: (inout ClusterStoreContents) -> Void) { state.withLock { body(&$0.contents) } }

  /// Commits that should not have been: a look from above, which no client has.
  let violations = Guarded<[String]>([])
  /// All entries in the order in which they were committed, also those that are deleted by now.
  let commits = Guarded<[Commit]>([])

  /// A look at what has been committed.
  func read<Result>(_ body: (inout ClusterStoreContents) -> Result) -> Result {
    state.withLock { state in
      var contents = state.contents
      return body(&contents)
    }
  }

  /// How many milliseconds a statement may take on its way.
  func slow(to milliseconds: Int) { state.withLock { $0.slowness = milliseconds } }

  /// A standby takes over that had got everything; what was under way is gone.
  func failOver() { failOver { _ in false } }

  /// A standby takes over that had not got the last commits.
  ///
  /// - Parameter isBehind: Whether the standby was as far behind as this; the last such state is
  ///   what there is afterwards.
  func failOver(to isBehind: (ClusterStoreContents) -> Bool) {
    let stuck = state.withLock { state -> [OneShotEvent] in
      let timeline = state.contents.term.timeline + 1
      if let last = state.before.last(where: isBehind) { state.contents = last }
      state.before = []
      state.contents.term = ClusterTerm(system: "simulated", timeline: timeline)
      state.generation += 1
      defer { state.locks = RowLocks() }
      return state.locks.all
    }
    for waiter in stuck { waiter.fire() }
  }

  /// One statement, as a transaction.
  ///
  /// - Parameters:
  ///   - lock: The row it locks, if any, and whether others may do so beside it.
  ///   - machine: Whose statement it is.
  ///   - check: What it looks at when it has the lock.
  ///   - commit: What it does when it is committed.
  /// - Returns: What `commit` returns.
  /// - Throws: What `check` and `commit` throw, or what says that the answer is lost.
  func statement<Result: Sendable>(
    _ lock: RowLock?, for machine: SimulatedMachine,
    check: (ClusterStoreContents) throws -> Void = { _ in },
    _ commit: (inout ClusterStoreContents, Duration) throws -> Result
  ) async throws -> Result {
    let world = machine.world
    statements.withLock { $0 += 1 }
    try await machine.pass()
    while machine.cuts.beforeDatabase { try await world.sleep(.milliseconds(100)) }
    if machine.cuts.toDatabase { try await lose(world) }
    try await world.delay(upTo: state.withLock { $0.slowness })
    let generation = state.withLock { $0.generation }
    if let lock { await acquire(lock) }
    var isHeld = lock != nil
    defer { if isHeld, let lock { release(lock, generation) } }
    try check(contents)
    try? await world.delay(upTo: state.withLock { $0.slowness })
    let result = try state.withLock { state -> Result in
      guard state.generation == generation else { throw SimulatedMachine.Lost() }
      state.before.append(state.contents)
      if state.before.count > 64 { state.before.removeFirst() }
      return try commit(&state.contents, world.now)
    }
    if isHeld, let lock { release(lock, generation) }
    isHeld = false
    if machine.cuts.fromDatabase { try await lose(world) }
    if world.oneIn(faults.losesAnswersOneIn) { throw SimulatedMachine.Lost() }
    try await world.delay(upTo: state.withLock { $0.slowness })
    try await machine.pass()
    return result
  }

  private func lose(_ world: SimulatedWorld) async throws -> Never {
    try await world.sleep(.seconds(2))
    throw SimulatedMachine.Lost()
  }

  // MARK: Locks

  private func acquire(_ lock: RowLock) async {
    let waiter = OneShotEvent()
    let isFree = state.withLock { $0.locks.acquire(lock, waiter) }
    if !isFree { await waiter.wait() }
  }

  private func release(_ lock: RowLock, _ generation: Int) {
    let next = state.withLock { state -> [OneShotEvent] in
      state.generation == generation ? state.locks.release(lock) : []
    }
    for waiter in next { waiter.fire() }
  }
}

struct RowLock: Sendable {
  let key: JournalKey
  let isShared: Bool
}

/// Which task has which row, and which tasks wait for it, in order.
struct RowLocks: Sendable {
  private struct Row: Sendable {
    var shared = 0
    var isExclusive = false
    var queue: [(isShared: Bool, waiter: OneShotEvent)] = []
  }

  private var rows: [JournalKey: Row] = [:]

  /// The waiters, in the same order in each run.
  var all: [OneShotEvent] {
    rows.sorted { ($0.key.name, $0.key.id) < ($1.key.name, $1.key.id) }
      .flatMap { $0.value.queue.map(\.waiter) }
  }

  /// - Returns: Whether it could be had at once.
  mutating func acquire(_ lock: RowLock, _ waiter: OneShotEvent) -> Bool {
    var row = rows[lock.key] ?? Row()
    defer { rows[lock.key] = row }
    let isFree = row.queue.isEmpty && !row.isExclusive && (lock.isShared || row.shared == 0)
    guard isFree else {
      row.queue.append((lock.isShared, waiter))
      return false
    }
    if lock.isShared { row.shared += 1 } else { row.isExclusive = true }
    return true
  }

  /// - Returns: The waiters that have it now.
  mutating func release(_ lock: RowLock) -> [OneShotEvent] {
    guard var row = rows[lock.key] else { return [] }
    defer { rows[lock.key] = row }
    if lock.isShared { row.shared -= 1 } else { row.isExclusive = false }
    var next: [OneShotEvent] = []
    while let first = row.queue.first, !row.isExclusive, first.isShared || row.shared == 0 {
      row.queue.removeFirst()
      if first.isShared { row.shared += 1 } else { row.isExclusive = true }
      next.append(first.waiter)
    }
    return next
  }
}
