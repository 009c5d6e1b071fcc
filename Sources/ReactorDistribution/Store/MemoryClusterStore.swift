package import Foundation
package import ReactorJournal

/// A cluster store in memory, for tests, previews, and several hosts in one process.
///
/// It lasts as long as this object. The given clock measures leases.
package actor MemoryClusterStore: ClusterStore {
  private var contents = ClusterStoreContents()
  private let secret = UUID().uuidString
  private let now: @Sendable () -> Duration
  package nonisolated let isSingleHost: Bool

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - clock: Measures leases.
  ///   - isSingleHost: Whether there is only one host.
  package init(clock: some Clock<Duration> = ContinuousClock(), isSingleHost: Bool = false) {
    self.isSingleHost = isSingleHost
    let start = clock.now
    now = { start.duration(to: clock.now) }
  }

  private func owned(_ key: JournalKey, _ host: HostID, _ epoch: Int) throws {
    guard contents.isOwner(host, of: key, epoch: epoch) else {
      throw ClusterError.fenced(key, epoch: epoch)
    }
  }
}

extension MemoryClusterStore {
  package nonisolated var storesCommandsInMemory: Bool { true }

  package func join(
    _ host: ClusterHost, lease: Duration, after ended: HostID?
  ) -> ClusterJoinResult {
    for key in contents.unrecovered(by: ended) { contents.releaseUnrecovered(ended, key) }
    return ClusterJoinResult(
      view: contents.join(host, until: now() + lease, now: now()), secret: secret)
  }

  package func renew(_ host: HostID, lease: Duration) -> ClusterView? {
    contents.renew(host, until: now() + lease, now: now())
  }

  package func markLeaving(_ host: HostID) { contents.markLeaving(host) }

  package func leave(_ host: HostID) { contents.leave(host) }

  package func owner(of key: JournalKey) -> ClusterOwner? { contents.owner(of: key, now: now()) }

  package func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) -> ClusterTakeResult {
    contents.take(key, for: host, version: version, limit: limit, now: now())
  }

  package func recovered(_ key: JournalKey, by host: HostID, epoch: Int) {
    contents.recovered(key, by: host, epoch: epoch)
  }

  package func release(_ key: JournalKey, by host: HostID, epoch: Int) {
    contents.release(key, by: host, epoch: epoch)
  }

  package func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) -> Bool {
    contents.isOwner(host, of: key, epoch: epoch)
  }

  package func clearPoisoned(_ key: JournalKey) { contents.clearPoisoned(key) }

  package func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) throws {
    try contents.append(batch, to: key, by: host, epoch: epoch, now: now())
  }

  package func epoch(of key: JournalKey, at sequence: Int) -> Int? {
    contents.epoch(of: key, at: sequence)
  }

  package func entries(of key: JournalKey, after sequence: Int, limit: Int) -> [JournalEntry] {
    contents.entries(of: key, after: sequence, limit: limit)
  }

  package func extent(of key: JournalKey) -> JournalExtent { contents.extent(of: key) }

  package func ids(of name: String, after id: String?, limit: Int) -> [String] {
    contents.ids(of: name, after: id, limit: limit)
  }

  package func snapshot(of key: JournalKey, through sequence: Int) -> JournalSnapshot? {
    contents.snapshot(of: key, through: sequence)
  }

  package func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) throws {
    try owned(key, host, epoch)
    contents.save(snapshot, of: key)
  }

  package func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) throws {
    try owned(key, host, epoch)
    contents.delete(part, of: key, through: sequence)
  }

  package func command(_ id: UUID, of key: JournalKey) -> CommandRecord? {
    contents.command(id, of: key)
  }

  package func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) throws {
    try owned(key, host, epoch)
    contents.answer(id, of: key, with: answer)
  }

  package func deleteCommands(olderThan age: Duration) {
    contents.deleteCommands(before: now() - age)
  }

  package func close() {}
}
