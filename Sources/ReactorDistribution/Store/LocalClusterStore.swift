import Foundation
import ReactorJournal

/// A store for a cluster with one host, on a journal store, which decides whether a reactor is
/// open.
///
/// No other host takes reactors, so leases never expire, and commands are never repeated from other
/// hosts.
actor LocalClusterStore: ClusterStore {
  private let journals: any JournalStore
  private let file: String?
  private var host: ClusterHost?
  private var epochs: [JournalKey: Int] = [:]
  private(set) var commands: [JournalKey: [UUID: Command]] = [:]
  private let now: @Sendable () -> Duration

  struct Command: Sendable {
    var record: CommandRecord
    let since: Duration
  }

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - journals: The journals.
  ///   - file: The path of the file, which the error about another process names.
  ///   - clock: Measures the age of commands.
  init(_ journals: any JournalStore, in file: String? = nil, clock: some Clock<Duration>) {
    (self.journals, self.file) = (journals, file)
    let start = clock.now
    now = { start.duration(to: clock.now) }
  }

  nonisolated var storesCommandsInMemory: Bool { true }
  nonisolated var isSingleHost: Bool { true }

  private var view: ClusterView {
    ClusterView(hosts: host.map { [$0] } ?? [], term: ClusterTerm(system: "local", timeline: 1))
  }

  func join(_ host: ClusterHost, lease: Duration, after ended: HostID?) -> ClusterJoinResult {
    self.host = host
    return ClusterJoinResult(view: view, secret: UUID().uuidString)
  }

  func renew(_ host: HostID, lease: Duration) -> ClusterView? { view }
  func markLeaving(_ host: HostID) {}
  func leave(_ host: HostID) {}

  func owner(of key: JournalKey) -> ClusterOwner? {
    guard let host, let epoch = epochs[key] else { return nil }
    return ClusterOwner(host: host, epoch: epoch)
  }

  func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) async throws -> ClusterTakeResult {
    do {
      let claim = try await journals.take(key)
      epochs[key] = claim.epoch
      return .taken(epoch: claim.epoch, takings: 1)
    } catch JournalError.alreadyOpen {
      throw FileInUseError(file: file)
    }
  }

  func recovered(_ key: JournalKey, by host: HostID, epoch: Int) {}

  func release(_ key: JournalKey, by host: HostID, epoch: Int) async {
    guard epochs[key] == epoch else { return }
    await journals.release(key, epoch: epoch)
    if epochs[key] == epoch { epochs[key] = nil }
  }

  func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) -> Bool { epochs[key] == epoch }
  func clearPoisoned(_ key: JournalKey) {}

  func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) async throws {
    do {
      try await journals.append(batch.entries, to: key, epoch: epoch)
    } catch let error as JournalError {
      throw error
    } catch {
      // The store is in this process, so no answer of it can be lost.
      throw JournalError.storeFailed(key, cause: error)
    }
    for record in batch.commands {
      commands[key, default: [:]][record.id] = Command(record: record, since: now())
    }
  }

  func epoch(of key: JournalKey, at sequence: Int) async throws -> Int? {
    let found = try await journals.entries(of: key, after: sequence - 1, limit: 1).first
    // This writer holds the lock, so the entry is its own.
    return found?.sequence == sequence ? epochs[key] : nil
  }

  func entries(of key: JournalKey, after sequence: Int, limit: Int) async throws -> [JournalEntry] {
    try await journals.entries(of: key, after: sequence, limit: limit)
  }

  func extent(of key: JournalKey) async throws -> JournalExtent {
    try await journals.extent(of: key)
  }

  func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await journals.ids(of: name, after: id, limit: limit)
  }

  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot? {
    try await journals.snapshot(of: key, through: sequence)
  }

  func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) async throws { try await journals.save(snapshot, of: key, epoch: epoch) }

  func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) async throws {
    switch part {
    case .entries: try await journals.deleteEntries(of: key, through: sequence, epoch: epoch)
    case .snapshots: try await journals.deleteSnapshots(of: key, through: sequence, epoch: epoch)
    }
  }

  func command(_ id: UUID, of key: JournalKey) -> CommandRecord? { commands[key]?[id]?.record }

  func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) { commands[key]?[id]?.record.answer = answer }

  func deleteCommands(olderThan age: Duration) {
    let then = now() - age
    commands = commands.compactMapValues { kept in
      let young = kept.filter { $0.value.since >= then }
      return young.isEmpty ? nil : young
    }
  }

  func close() {}
}

/// Another process, or another cluster in this process, has the reactor open in the same file.
///
/// Another attempt may succeed: a new process may start while the old one ends.
private struct FileInUseError: ClusterStoreError, CustomStringConvertible {
  let file: String?

  var description: String {
    let file = file.map { "the file '\($0)'" } ?? "the same file"
    return "another process or cluster has it open in \(file), which is for one host: end that "
      + "one first, or use .postgres for several hosts"
  }
}
