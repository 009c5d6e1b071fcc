import ReactorRuntime
import TestLimits
import Foundation
import Reactor
import ReactorJournal

@testable import ReactorDistribution

/// A simulated database, as one machine uses it.
struct SimulatedConnection: ClusterStore {
  let machine: SimulatedMachine
  private var database: SimulatedDatabase { machine.world.database }

  private func run<Result: Sendable>(
    _ commit: (inout ClusterStoreContents, Duration) throws -> Result
  ) async throws -> Result { try await database.statement(nil, for: machine, commit) }

  private func run<Result: Sendable>(
    alone key: JournalKey, _ commit: (inout ClusterStoreContents, Duration) throws -> Result
  ) async throws -> Result {
    try await database.statement(RowLock(key: key, isShared: false), for: machine, commit)
  }

  func join(
    _ host: ClusterHost, lease: Duration, after ended: HostID?
  ) async throws -> ClusterJoinResult {
    // One statement, which locks each of the rows that it changes.
    for key in database.read({ $0.unrecovered(by: ended) }).sorted(by: { $0.id < $1.id }) {
      try await run(alone: key) { contents, _ in contents.releaseUnrecovered(ended, key) }
    }
    let view = try await run { $0.join(host, until: $1 + lease, now: $1) }
    return ClusterJoinResult(view: view, secret: "secret")
  }

  func renew(_ host: HostID, lease: Duration) async throws -> ClusterView? {
    try await run { $0.renew(host, until: $1 + lease, now: $1) }
  }

  func markLeaving(_ host: HostID) async throws {
    try await run { contents, _ in contents.markLeaving(host) }
  }
  func leave(_ host: HostID) async throws { try await run { contents, _ in contents.leave(host) } }

  func owner(of key: JournalKey) async throws -> ClusterOwner? {
    try await run { $0.owner(of: key, now: $1) }
  }

  func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) async throws -> ClusterTakeResult {
    try await run(alone: key) {
      $0.take(key, for: host, version: version, limit: limit, now: $1)
    }
  }

  func recovered(_ key: JournalKey, by host: HostID, epoch: Int) async throws {
    try await run(alone: key) { contents, _ in contents.recovered(key, by: host, epoch: epoch) }
  }

  func release(_ key: JournalKey, by host: HostID, epoch: Int) async throws {
    try await run(alone: key) { contents, _ in contents.release(key, by: host, epoch: epoch) }
  }

  func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) async throws -> Bool {
    try await run { contents, _ in contents.isOwner(host, of: key, epoch: epoch) }
  }

  func clearPoisoned(_ key: JournalKey) async throws {
    try await run { contents, _ in contents.clearPoisoned(key) }
  }

  func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) async throws {
    let faults = database.faults
    let lock = faults.appendsWithoutLock ? nil : RowLock(key: key, isShared: true)
    var batch = batch
    if faults.repeatsCommands { batch.commands = [] }
    let isLost = machine.world.oneIn(faults.losesAppendsOneIn)
    try await database.statement(lock, for: machine) { contents in
      guard faults.appendsWithoutEpoch || contents.isOwner(host, of: key, epoch: epoch) else {
        throw ClusterError.fenced(key, epoch: epoch)
      }
    } _: { [batch] contents, now in
      if !isLost {
        try contents.write(batch, to: key, epoch: epoch, now: now)
        database.commits.withLock { commits in
          commits += batch.entries.map { entry in
            SimulatedDatabase.Commit(key: key, entry: entry, epoch: epoch, time: now)
          }
        }
      }
      if !contents.isOwner(host, of: key, epoch: epoch) {
        let what = "epoch \(epoch) of \(key) wrote when it was over"
        database.violations.withLock { $0.append(what) }
      }
    }
  }

  func epoch(of key: JournalKey, at sequence: Int) async throws -> Int? {
    try await run { contents, _ in contents.epoch(of: key, at: sequence) }
  }

  func entries(of key: JournalKey, after sequence: Int, limit: Int) async throws -> [JournalEntry] {
    try await run { contents, _ in contents.entries(of: key, after: sequence, limit: limit) }
  }

  func extent(of key: JournalKey) async throws -> JournalExtent {
    try await run { contents, _ in contents.extent(of: key) }
  }

  func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await run { contents, _ in contents.ids(of: name, after: id, limit: limit) }
  }

  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot? {
    try await run { contents, _ in contents.snapshot(of: key, through: sequence) }
  }

  func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) async throws {
    try await run(alone: key) { contents, _ in
      guard contents.isOwner(host, of: key, epoch: epoch) else {
        throw ClusterError.fenced(key, epoch: epoch)
      }
      contents.save(snapshot, of: key)
    }
  }

  func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) async throws {
    try await run(alone: key) { contents, _ in
      guard contents.isOwner(host, of: key, epoch: epoch) else {
        throw ClusterError.fenced(key, epoch: epoch)
      }
      contents.delete(part, of: key, through: sequence)
    }
  }

  func command(_ id: UUID, of key: JournalKey) async throws -> CommandRecord? {
    try await run { contents, _ in contents.command(id, of: key) }
  }

  func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) async throws {
    try await database.statement(RowLock(key: key, isShared: true), for: machine) { contents in
      guard contents.isOwner(host, of: key, epoch: epoch) else {
        throw ClusterError.fenced(key, epoch: epoch)
      }
    } _: { contents, _ in
      contents.answer(id, of: key, with: answer)
    }
  }

  func deleteCommands(olderThan age: Duration) async throws {
    try await run { contents, now in contents.deleteCommands(before: now - age) }
  }

  func close() {}
}
