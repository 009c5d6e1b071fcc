import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// The journals of one reactor type, as this host writes them in one incarnation.
///
/// The host's lease and the owner's row provide the epochs. After the lease has expired, nothing is
/// written to the store any more.
///
/// Holds: `owned` and `poisoned`, each guarded by its own lock.
final class HostJournal: JournalStore {
  private let incarnation: HostIncarnation
  private let store: any ClusterStore
  private let clock: ClusterClock
  private let version: Int
  private let attemptLimit: Int
  private let report: @Sendable (ClusterReport) -> Void
  private let owned = Guarded<[JournalKey: OwnedReactor]>([:])
  /// The reactors that have been reported as poisoned.
  private let poisoned = Guarded<Set<JournalKey>>([])

  init(
    _ incarnation: HostIncarnation, _ store: any ClusterStore, _ clock: ClusterClock, version: Int,
    attemptLimit: Int, report: @escaping @Sendable (ClusterReport) -> Void = { _ in }
  ) {
    (self.incarnation, self.store, self.clock) = (incarnation, store, clock)
    (self.version, self.attemptLimit, self.report) = (version, attemptLimit, report)
  }

  /// Returns a reactor that this host owns.
  func owned(_ key: JournalKey) -> OwnedReactor? { owned.withLock { $0[key] } }

  /// The keys of all reactors that this host owns.
  var keys: [JournalKey] { owned.withLock { Array($0.keys) } }

  // MARK: Owning

  func take(_ key: JournalKey) async throws -> JournalClaim {
    if incarnation.isOver { throw ClusterError.fenced(key, epoch: 0) }
    let taking = try await store.take(
      key, for: incarnation.id, version: version, limit: attemptLimit)
    switch taking {
    case .owned(let owner): throw ClusterError.notOwner(key, owner)
    case .poisoned(let takings):
      // The caller receives the error each time; the report is sent once.
      if poisoned.withLock({ $0.insert(key).inserted }) {
        report(.poisoned(key, attempts: takings))
      }
      throw ClusterError.poisoned(key, attempts: takings)
    case .tooNew(let version): throw ClusterError.tooNew(key, version: version)
    case .hostExpired:
      incarnation.ended.fire()
      throw ClusterError.fenced(key, epoch: 0)
    case .taken(let epoch, let takings):
      // This is a separate, later statement, so that it sees all that an earlier owner has written.
      let extent = try await store.extent(of: key)
      let new = OwnedReactor(key, epoch: epoch, takings: takings, last: extent.last)
      owned.withLock { $0[key] = new }
      poisoned.withLock { _ = $0.remove(key) }
      return JournalClaim(epoch: epoch, extent: extent)
    }
  }

  /// Called when a reactor has been recovered; resets its count of takings later.
  ///
  /// It is reset once the reactor has written, or has been here for a lease, since the next action
  /// may be what crashes its owner.
  func recovered(_ key: JournalKey) {
    guard let owned = owned(key), owned.takings > 1 else { return }
    PipelineTasks.inheriting { [clock, incarnation] in
      guard (try? await clock.sleep(incarnation.lease)) != nil else { return }
      await self.resetTakings(owned)
    }
  }

  private func resetTakings(_ owned: OwnedReactor) async {
    guard !incarnation.isOver, owned.markTakingsReset() else { return }
    try? await store.recovered(owned.key, by: incarnation.id, epoch: owned.epoch)
  }

  func release(_ key: JournalKey, epoch: Int) async {
    let ended = owned.withLock { owned -> OwnedReactor? in
      guard owned[key]?.epoch == epoch else { return nil }
      return owned.removeValue(forKey: key)
    }
    // If this fails, this host remains the owner: it takes the reactor again, or another host does
    // after the lease has expired.
    if !incarnation.isOver { try? await store.release(key, by: incarnation.id, epoch: epoch) }
    ended?.ended.fire()
  }

  // MARK: Writing

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    guard let owned = owned(key), owned.epoch == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    let batch = owned.batch(entries)
    try await write(batch, to: key, epoch)
    owned.didStore(batch)
    if batch.isFirst, owned.takings > 1 {
      PipelineTasks.inheriting { await self.resetTakings(owned) }
    }
  }

  /// Writes a batch, and reads the journal if the answer of the store was lost.
  private func write(_ batch: ClusterBatch, to key: JournalKey, _ epoch: Int) async throws {
    var isUncertain = false
    var pause = Duration.milliseconds(20)
    while !incarnation.isOver {
      do {
        return try await incarnation.awaitStore { [store, incarnation] in
          try await store.append(batch, to: key, by: incarnation.id, epoch: epoch)
        }
      } catch let error as ClusterError {
        // Another host owns the reactor, or has written. The journal is not read again. The reactor
        // ends, unless the entries are this batch.
        if isUncertain, try await isStored(batch, key, epoch) == true { return }
        throw JournalError.storeFailed(key, cause: error)
      } catch let error as JournalError where !isUncertain {
        // The store has certainly not written the batch.
        throw error
      } catch let error as any ClusterStoreError where error.isPermanent && !isUncertain {
        throw JournalError.storeFailed(key, cause: error)
      } catch {
        isUncertain = true
        if try await isStored(batch, key, epoch) == true { return }
        guard (try? await clock.sleep(pause)) != nil else { break }
        pause = min(pause * 2, .milliseconds(500))
      }
    }
    throw JournalError.fenced(key, epoch: epoch)
  }

  /// Returns whether a batch is in the journal; `nil` if that cannot be determined now.
  ///
  /// - Throws: ``JournalError`` if other entries are in its place.
  private func isStored(
    _ batch: ClusterBatch, _ key: JournalKey, _ epoch: Int
  ) async throws -> Bool? {
    guard let first = batch.entries.first else { return true }
    let found: [JournalEntry]
    let writer: Int?
    do {
      (found, writer) = try await incarnation.awaitStore { [store] in
        (
          try await store.entries(
            of: key, after: first.sequence - 1, limit: batch.entries.count),
          try await store.epoch(of: key, at: first.sequence)
        )
      }
    } catch { return nil }
    if found.isEmpty { return false }
    // All of it is compared: after a failover that lost takings, another host may have written with
    // the same epoch.
    guard found == batch.entries, writer == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    return true
  }

  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await store.save(snapshot, of: key, by: incarnation.id, epoch: epoch)
  }

  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await store.delete(.entries, of: key, through: sequence, by: incarnation.id, epoch: epoch)
  }

  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await store.delete(.snapshots, of: key, through: sequence, by: incarnation.id, epoch: epoch)
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
