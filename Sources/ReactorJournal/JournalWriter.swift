import Foundation
import Reactor

/// Keeps what a reactor does: the other side of its gate.
///
/// Holds: what has to be known between two batches, guarded by its own lock. The gate calls from
/// one batch to the next, never twice at a time.
final class JournalWriter<R: JournaledReactor>: MutationKeeper {
  private struct Progress {
    var snapshots: SnapshotTimer
    /// The last entry that the timer knows of.
    var counted: Int
    var pause: Task<Void, Never>?
    var isHurried = false
    var isClosed = false
    var isSaving = false
  }

  let key: JournalKey
  let journal: Journal
  let epoch: Int
  let durability: Durability
  /// Told of what costs no caller anything, and must not vanish.
  private let report: @Sendable (ReactorReport.Problem) -> Void
  private let state: Guarded<Progress>
  private let commands: CommandBook

  init(
    key: JournalKey, claim: JournalClaim, journal: Journal, durability: Durability,
    snapshots: SnapshotTimer,
    report: @escaping @Sendable (ReactorReport.Problem) -> Void = { _ in }
  ) {
    (self.key, self.journal, self.durability) = (key, journal, durability)
    self.report = report
    epoch = claim.epoch
    commands = CommandBook(key: key, journal: journal)
    state = Guarded(Progress(snapshots: snapshots, counted: claim.extent.last))
  }

  // MARK: What the gate asks

  func keeps(_ mutation: R.Mutation) -> Bool { !R.isTransient(mutation) }

  func wantsState(after sequence: Int) -> Bool {
    let every = journal.options.hashesEvery
    return every > 0 && sequence.isMultiple(of: every)
  }

  var batchLimit: Int { durability == .each ? 1 : 4_096 }

  var isBehind: Bool { if case .behind = durability { true } else { false } }

  func prepare() async {
    guard case .behind(let window) = durability else { return }
    let clock = journal.options.clock
    let pause = state.withLock { state -> Task<Void, Never>? in
      defer { state.isHurried = false }
      if state.isHurried { return nil }
      let pause = SimulatedExecutor.task { try? await clock.sleep(for: window) }
      state.pause = pause
      return pause
    }
    await pause?.value
    state.withLock { $0.pause = nil }
  }

  func hurry() {
    state.withLock { state in
      state.isHurried = state.pause == nil
      state.pause?.cancel()
    }
  }

  // MARK: Keeping

  func command(_ id: String) async throws -> KeptCommand? { try await commands.command(id) }

  func keep(_ batch: [KeptMutation<R.Mutation, R.State>]) async throws {
    let entries = try encode(batch)
    do {
      try await journal.store.append(entries, to: key, epoch: epoch)
    } catch {
      try await resolve(entries, after: error)
    }
    commands.add(batch.compactMap { kept in kept.command.map { ($0, kept.sequence) } })
  }

  /// The store has failed, and it may all be there: looks, and sends it once more if it is not.
  private func resolve(_ entries: [JournalEntry], after failure: any Error) async throws {
    if failure is JournalError { throw failure }
    guard let first = entries.first else { return }
    do {
      let found = try await journal.store.entries(
        of: key, after: first.sequence - 1, limit: entries.count)
      // Nothing else writes under this epoch, so what is there is ours, or we are fenced.
      if found.isEmpty {
        return try await journal.store.append(entries, to: key, epoch: epoch)
      }
      guard found == entries else { throw JournalError.fenced(key, epoch: epoch) }
    } catch let second as JournalError {
      throw second
    } catch {
      throw JournalError.storeFailed(key, cause: failure)
    }
  }

  private func encode(_ batch: [KeptMutation<R.Mutation, R.State>]) throws -> [JournalEntry] {
    let now = journal.options.now()
    return try batch.map { kept in
      do {
        guard let mutation = kept.mutation else {
          return JournalEntry(
            sequence: kept.sequence, version: R.journalVersion, kind: .command,
            payload: try journal.codec.encode(kept.command), time: now)
        }
        let hash = try kept.state.map { try StateHash(of: $0, in: R.self).value }
        return JournalEntry(
          sequence: kept.sequence, version: R.journalVersion,
          kind: kept.note as? JournalEntry.Kind ?? .change,
          payload: try journal.codec.encode(mutation),
          cause: kept.cause.map { "\(epoch).\($0)" }, time: now, stateHash: hash)
      } catch {
        throw JournalError.unencodable(key, sequence: kept.sequence, cause: error)
      }
    }
  }

  func close() async {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    if isFirst { await journal.store.release(key, epoch: epoch) }
  }

  // MARK: Snapshots

  func kept(_ current: R.State?, at sequence: Int) {
    let isDue = state.withLock { state in
      state.snapshots.add(sequence - state.counted)
      state.counted = sequence
      guard !state.isSaving, !state.isClosed, state.snapshots.isDue() else { return false }
      state.isSaving = true
      return true
    }
    guard isDue else { return }
    SimulatedExecutor.task { await self.save(current, at: sequence) }
  }

  /// Makes a snapshot, away from the reactor; if it fails, no caller loses anything.
  private func save(_ current: R.State?, at sequence: Int) async {
    defer { state.withLock { $0.isSaving = false } }
    let replay = journal.replay(of: R.self, key)
    do {
      let value: R.State
      if let current {
        value = current
      } else {
        // What the reactor has is not only of what is kept.
        let extent = try await journal.store.extent(of: key)
        value = try await replay.state(at: sequence, in: extent).state
      }
      let snapshot = JournalSnapshot(
        sequence: sequence, version: R.snapshotVersion, payload: try journal.codec.encode(value))
      try await journal.store.save(snapshot, of: key, epoch: epoch)
      guard journal.options.deletesBeforeSnapshot else { return }
      try await delete(before: snapshot, replay)
    } catch {
      // Of a journal that has been released, another one may have taken over.
      if !state.withLock({ $0.isClosed }) { report(.snapshotFailed(error)) }
    }
  }

  /// Only what a snapshot covers that can be read, and decoded, is deleted.
  private func delete(before snapshot: JournalSnapshot, _ replay: Replay<R>) async throws {
    let found = try await journal.store.snapshot(of: key, through: snapshot.sequence)
    guard let found, found == snapshot else {
      throw JournalError.undecodableSnapshot(
        key, sequence: snapshot.sequence, version: snapshot.version,
        cause: JournalError.corrupt(key, sequence: snapshot.sequence))
    }
    _ = try replay.decode(found)
    // Keys are known for as long as it is said, whatever is deleted.
    let last = min(found.sequence, (try await commands.first() ?? .max) - 1)
    try await journal.store.deleteEntries(of: key, through: last, epoch: epoch)
    try await journal.store.deleteSnapshots(of: key, through: found.sequence - 1, epoch: epoch)
  }
}
