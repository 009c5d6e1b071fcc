import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// The journals of one kind of reactor, as this host writes them in one of its lives.
///
/// What a journal needs to know of epochs is the host's lease and the owner's row; when the lease
/// has run out, nothing is sent to the store any more.
///
/// Holds: `held` and `poisoned`, each guarded by its own lock.
final class HostJournal: JournalStore {
  private let life: HostLife
  private let store: any ClusterStore
  private let clock: ClusterClock
  private let version: Int
  private let takingLimit: Int
  private let report: @Sendable (ClusterReport) -> Void
  private let held = Guarded<[JournalKey: HeldKey]>([:])
  /// Those of which it has been said that they are poisoned.
  private let poisoned = Guarded<Set<JournalKey>>([])

  init(
    _ life: HostLife, _ store: any ClusterStore, _ clock: ClusterClock, version: Int,
    takingLimit: Int, report: @escaping @Sendable (ClusterReport) -> Void = { _ in }
  ) {
    (self.life, self.store, self.clock) = (life, store, clock)
    (self.version, self.takingLimit, self.report) = (version, takingLimit, report)
  }

  /// A reactor that is here.
  func held(_ key: JournalKey) -> HeldKey? { held.withLock { $0[key] } }

  /// All reactors that are here.
  var keys: [JournalKey] { held.withLock { Array($0.keys) } }

  // MARK: Owning

  func take(_ key: JournalKey) async throws -> JournalClaim {
    if life.isOver { throw ClusterError.fenced(key, epoch: 0) }
    let taking = try await store.take(key, for: life.id, version: version, limit: takingLimit)
    switch taking {
    case .owned(let owner): throw ClusterError.notMine(key, owner)
    case .poisoned(let takings):
      // The caller is told each time; the report, once.
      if poisoned.withLock({ $0.insert(key).inserted }) {
        report(.poisoned(key, takings: takings))
      }
      throw ClusterError.poisoned(key, takings: takings)
    case .tooNew(let version): throw ClusterError.tooNew(key, version: version)
    case .hostIsOver:
      life.over.happen()
      throw ClusterError.fenced(key, epoch: 0)
    case .taken(let epoch, let takings):
      // Only now, in a statement of its own: it sees all that an earlier owner has written.
      let extent = try await store.extent(of: key)
      let new = HeldKey(key, epoch: epoch, takings: takings, last: extent.last)
      held.withLock { $0[key] = new }
      poisoned.withLock { _ = $0.remove(key) }
      return JournalClaim(epoch: epoch, extent: extent)
    }
  }

  /// The reactor has recovered; where it had been taken before without having done so, that is
  /// forgotten once it has written, or has been there for a lease: what crashes its owner may be
  /// what it is asked next.
  func recovered(_ key: JournalKey) {
    guard let held = held(key), held.takings > 1 else { return }
    PipelineTasks.inheriting { [clock, life] in
      guard (try? await clock.sleep(life.lease)) != nil else { return }
      await self.forgetTakings(held)
    }
  }

  private func forgetTakings(_ held: HeldKey) async {
    guard !life.isOver, held.takesBackTakings() else { return }
    try? await store.recovered(held.key, by: life.id, epoch: held.epoch)
  }

  func release(_ key: JournalKey, epoch: Int) async {
    let ended = held.withLock { held -> HeldKey? in
      guard held[key]?.epoch == epoch else { return nil }
      return held.removeValue(forKey: key)
    }
    // Where this fails, the row stays this host's: it is taken again here, or after its lease.
    if !life.isOver { try? await store.release(key, by: life.id, epoch: epoch) }
    ended?.ended.happen()
  }

  // MARK: Writing

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    guard let held = held(key), held.epoch == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    let batch = held.batch(entries)
    try await write(batch, to: key, epoch)
    held.hasKept(batch)
    if batch.isFirst, held.takings > 1 {
      PipelineTasks.inheriting { await self.forgetTakings(held) }
    }
  }

  /// Writes, and finds out what came of it where the answer got lost.
  private func write(_ batch: ClusterBatch, to key: JournalKey, _ epoch: Int) async throws {
    var isUncertain = false
    var pause = Duration.milliseconds(20)
    while !life.isOver {
      do {
        return try await life.waiting { [store, life] in
          try await store.append(batch, to: key, by: life.id, epoch: epoch)
        }
      } catch let error as ClusterError {
        // Another host has it, or has written. The journal is not read anew: the reactor ends,
        // unless what was written is this very batch.
        if isUncertain, try await isKept(batch, key, epoch) == true { return }
        throw JournalError.storeFailed(key, cause: error)
      } catch let error as JournalError where !isUncertain {
        // The store has said for certain that it does not.
        throw error
      } catch let error as any StoreTrouble where error.isPermanent && !isUncertain {
        throw JournalError.storeFailed(key, cause: error)
      } catch {
        isUncertain = true
        if try await isKept(batch, key, epoch) == true { return }
        guard (try? await clock.sleep(pause)) != nil else { break }
        pause = min(pause * 2, .milliseconds(500))
      }
    }
    throw JournalError.fenced(key, epoch: epoch)
  }

  /// Whether a batch is in the journal; `nil` where that cannot be found out now.
  ///
  /// - Throws: ``JournalError`` where there is another one in its place.
  private func isKept(
    _ batch: ClusterBatch, _ key: JournalKey, _ epoch: Int
  ) async throws -> Bool? {
    guard let first = batch.entries.first else { return true }
    let found: [JournalEntry]
    let writer: Int?
    do {
      (found, writer) = try await life.waiting { [store] in
        (
          try await store.entries(
            of: key, after: first.sequence - 1, limit: batch.entries.count),
          try await store.epoch(of: key, at: first.sequence)
        )
      }
    } catch { return nil }
    if found.isEmpty { return false }
    // All of it is looked at: after a failover that took back takings, another host may have
    // written under the same epoch.
    guard found == batch.entries, writer == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    return true
  }

  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await store.save(snapshot, of: key, by: life.id, epoch: epoch)
  }

  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await store.delete(.entries, of: key, through: sequence, by: life.id, epoch: epoch)
  }

  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await store.delete(.snapshots, of: key, through: sequence, by: life.id, epoch: epoch)
  }

  // MARK: Reading

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    try await store.entries(of: key, after: sequence, limit: limit)
  }

  func extent(of key: JournalKey) async throws -> JournalExtent {
    try await store.extent(of: key)
  }

  func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await store.ids(of: name, after: id, limit: limit)
  }

  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot? {
    try await store.snapshot(of: key, through: sequence)
  }
}
