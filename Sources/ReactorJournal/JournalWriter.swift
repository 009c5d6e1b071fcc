import Foundation
import Reactor
import ReactorRuntime

/// Writes the batches of a reactor's output gate to the store.
///
/// Holds: what is needed between two batches, guarded by its own lock. The gate calls it for one
/// batch after another, never concurrently.
final class JournalWriter<R: JournaledReactor>: GateWriter {
  struct Progress {
    var snapshots: SnapshotTimer
    /// The mutations that are visible and not yet durable; `nil` unless the durability allows that.
    var behind: WriteBehind?
    var pause: Task<Void, Never>?
    /// Marks the window as overdue when it has passed.
    var overdueTimer: Task<Void, Never>?
    var isExpedited = false
    var isClosed = false
    var isSaving = false
    /// Latches that are opened when the snapshot that is under way has ended.
    var savingEnds: [Latch] = []
  }

  let key: JournalKey
  let journal: Journal
  let epoch: Int
  let durability: Durability
  /// The last entry when the journal was opened.
  private let lastAtOpening: Int
  /// Reports failures that reach no caller.
  let report: @Sendable (ReactorReport.Problem) -> Void
  /// The store, if its commits contain the entries of other reactors, too.
  private let sharing: SQLiteStore?
  let state: Guarded<Progress>
  let commands: CommandLog

  init(
    key: JournalKey, claim: JournalClaim, journal: Journal, durability: Durability,
    snapshots: SnapshotTimer,
    report: @escaping @Sendable (ReactorReport.Problem) -> Void = { _ in }
  ) {
    (self.key, self.journal, self.durability) = (key, journal, durability)
    self.report = report
    sharing = journal.store as? SQLiteStore
    (epoch, lastAtOpening) = (claim.epoch, claim.extent.last)
    commands = CommandLog(key: key, journal: journal)
    var behind: WriteBehind?
    if case .behind(let window) = durability {
      behind = WriteBehind(window: window, clock: journal.options.clock)
    }
    state = Guarded(Progress(snapshots: snapshots, behind: behind))
  }

  // MARK: Queries of the gate

  func writes(_ mutation: R.Mutation) -> Bool {
    if R.isTransient(mutation) { return false }
    if usesWriteBehind { state.withLock { $0.behind?.reduce() } }
    return true
  }

  var hashesEvery: Int { journal.options.hashesEvery }

  var batchLimit: Int { durability == .each ? 1 : 4_096 }

  /// Whether mutations may be visible before they are durable, as long as the store is fast enough.
  private var usesWriteBehind: Bool { if case .behind = durability { true } else { false } }

  var isWriteBehind: Bool { usesWriteBehind && state.withLock { $0.behind?.isOverdue == false } }

  func prepare() async {
    guard usesWriteBehind else { return }
    let pause = state.withLock { state -> Task<Void, Never>? in
      defer { state.isExpedited = false }
      guard let behind = state.behind else { return nil }
      let (pause, overdue) = behind.delays
      let count = behind.durableCount
      state.overdueTimer = schedule(after: overdue) {
        self.state.withLock { $0.behind?.markOverdue(after: count) }
      }
      if state.isExpedited || pause <= .zero { return nil }
      state.pause = schedule(after: pause) {}
      return state.pause
    }
    await pause?.value
    state.withLock { state in
      state.pause = nil
      state.behind?.take()
    }
  }

  private func schedule(after time: Duration, _ body: @escaping @Sendable () -> Void) -> Task<
    Void, Never
  > {
    let clock = journal.options.clock
    return PipelineTasks.inheriting {
      if time > .zero { try? await clock.sleep(for: time) }
      if !Task.isCancelled { body() }
    }
  }

  func expedite() {
    state.withLock { state in
      state.isExpedited = state.pause == nil
      state.pause?.cancel()
    }
  }

  func written(_ current: R.State?, at sequence: Int) {
    if usesWriteBehind {
      state.withLock { state in
        state.overdueTimer?.cancel()
        state.behind?.markDurable()
      }
    }
    count(current, at: sequence)
  }

  // MARK: Storing

  func command(_ id: String) async throws -> StoredCommand? { try await commands.command(id) }

  func write(_ batch: [GateEntry<R.Mutation, R.State>]) async throws {
    let entries = try encode(batch)
    if usesWriteBehind { state.withLock { $0.behind?.begin(batch.count { $0.mutation != nil }) } }
    do {
      try await append(entries)
    } catch {
      try await resolve(entries, after: error)
    }
    // Not by `compactMap`, which takes longer than the rest where there are no commands.
    var stored: [(StoredCommand, Int)] = []
    for entry in batch {
      if let command = entry.command { stored.append((command, entry.sequence)) }
    }
    commands.add(stored)
  }

  private func append(_ entries: [JournalEntry]) async throws {
    guard let sharing else {
      return try await journal.store.append(entries, to: key, epoch: epoch)
    }
    try await sharing.append(entries, to: key, epoch: epoch) { [report] stall in
      report(.journalStalled(stall))
    }
  }

  /// Resolves a failed append: reads whether the entries are stored, and appends them again if they
  /// are not.
  private func resolve(_ entries: [JournalEntry], after failure: any Error) async throws {
    if failure is JournalError { throw failure }
    guard let first = entries.first else { return }
    do {
      let found = try await journal.store.entries(
        of: key, after: first.sequence - 1, limit: entries.count)
      // Nothing else writes with this epoch, so other entries mean that this writer is fenced.
      if found.isEmpty {
        return try await append(entries)
      }
      guard found == entries else { throw JournalError.fenced(key, epoch: epoch) }
    } catch JournalError.unusable {
      // The store cannot be read either; the error of the append says more.
      throw JournalError.storeFailed(key, cause: failure)
    } catch let second as JournalError {
      throw second
    } catch {
      throw JournalError.storeFailed(key, cause: failure)
    }
  }

  private func encode(_ batch: [GateEntry<R.Mutation, R.State>]) throws -> [JournalEntry] {
    let now = journal.options.now()
    return try batch.map { entry in
      do {
        guard let mutation = entry.mutation else {
          return JournalEntry(
            sequence: entry.sequence, version: R.journalVersion, kind: entry.kind,
            payload: try journal.codec.encode(entry.command), time: now)
        }
        let payload = try journal.codec.encode(mutation)
        try ReplyCheck.check(mutation, encoded: payload, after: entry.sequence - lastAtOpening)
        let hash = try entry.state.map { try StateHash(of: $0, in: R.self).value }
        return JournalEntry(
          sequence: entry.sequence, version: R.journalVersion, kind: entry.kind,
          payload: payload, cause: entry.cause.map { "\(epoch).\($0)" }, time: now,
          stateHash: hash)
      } catch {
        throw JournalError.unencodable(key, sequence: entry.sequence, cause: error)
      }
    }
  }

  func close() async {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      state.overdueTimer?.cancel()
      return !state.isClosed
    }
    if isFirst { await journal.store.release(key, epoch: epoch) }
  }
}
