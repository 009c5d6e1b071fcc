package import Foundation
package import ReactorJournal

/// The contents of a cluster store as a value: the rules of ``ClusterStore`` without any
/// suspension.
///
/// Two stores use it: the one in memory, and one in tests that simulates a server with row locks,
/// lost answers and failovers.
package struct ClusterStoreContents: Sendable {
  struct HostRow: Sendable {
    let host: ClusterHost
    var expires: Duration
    var isLeaving = false
  }

  struct OwnerRow: Sendable {
    var host: HostID?
    var epoch = 0
    var takings = 0
    var deleted = 0
    var version = 0

    func isUnrecovered(by host: HostID) -> Bool { self.host == host && takings > 1 }
  }

  package struct Row: Sendable {
    package let entry: JournalEntry
    package let epoch: Int
  }

  struct CommandRow: Sendable {
    var record: CommandRecord
    let since: Duration
  }

  var hosts: [HostID: HostRow] = [:]
  var owners: [JournalKey: OwnerRow] = [:]
  package private(set) var journals: [JournalKey: [Row]] = [:]
  private var snapshots: [JournalKey: SnapshotList] = [:]
  /// The sorted identifiers of each name; computed when needed, and again after one was added.
  private var sortedIDs: [String: [String]] = [:]
  var commands: [JournalKey: [UUID: CommandRow]] = [:]
  package var term: ClusterTerm
  package var hasAsynchronousStandby = false

  package init(term: ClusterTerm = ClusterTerm(system: "memory", timeline: 1)) {
    self.term = term
  }

  // MARK: Hosts

  package mutating func join(_ host: ClusterHost, until expires: Duration, now: Duration)
    -> ClusterView
  {
    hosts[host.id] = HostRow(host: host, expires: expires)
    return view(now)
  }

  package mutating func renew(_ id: HostID, until expires: Duration, now: Duration)
    -> ClusterView?
  {
    guard isLive(id, now) else { return nil }
    hosts[id]?.expires = expires
    return view(now)
  }

  package mutating func markLeaving(_ id: HostID) { hosts[id]?.isLeaving = true }

  package mutating func leave(_ id: HostID) { hosts[id] = nil }

  func isLive(_ id: HostID?, _ now: Duration) -> Bool {
    guard let id, let row = hosts[id] else { return false }
    return row.expires > now
  }

  private func view(_ now: Duration) -> ClusterView {
    let live = hosts.values.filter { $0.expires > now && !$0.isLeaving }.map(\.host)
    var view = ClusterView(
      hosts: live.sorted { $0.id.uuid.uuidString < $1.id.uuid.uuidString }, term: term)
    view.hasAsynchronousStandby = hasAsynchronousStandby
    return view
  }

  // MARK: Owners

  package func owner(of key: JournalKey, now: Duration) -> ClusterOwner? {
    guard let row = owners[key], let id = row.host, isLive(id, now), let host = hosts[id] else {
      return nil
    }
    return ClusterOwner(host: host.host, epoch: row.epoch)
  }

  package mutating func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int, now: Duration
  ) -> ClusterTakeResult {
    var row = owners[key] ?? OwnerRow()
    guard isLive(host, now) else { return .hostExpired }
    if row.host != host, let owner = owner(of: key, now: now) { return .owned(owner) }
    // A host that takes a reactor again is alive, so the reactor has not crashed its process.
    if row.host != host, row.takings >= limit { return .poisoned(takings: row.takings) }
    if row.version > version { return .tooNew(version: row.version) }
    if row.host != host { row.takings += 1 }
    row.host = host
    row.epoch += 1
    owners[key] = row
    return .taken(epoch: row.epoch, takings: row.takings)
  }

  package func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) -> Bool {
    owners[key].map { $0.host == host && $0.epoch == epoch } ?? false
  }

  package mutating func recovered(_ key: JournalKey, by host: HostID, epoch: Int) {
    if isOwner(host, of: key, epoch: epoch) { owners[key]?.takings = 0 }
  }

  package mutating func release(_ key: JournalKey, by host: HostID, epoch: Int) {
    guard isOwner(host, of: key, epoch: epoch) else { return }
    owners[key]?.host = nil
    owners[key]?.takings = 0
  }

  /// The reactors of a host that were taken more than once since they last recovered.
  ///
  /// Reactors that were taken once are not included: nearly all are, and it does not indicate a
  /// crash.
  package func unrecovered(by host: HostID?) -> [JournalKey] {
    guard let host else { return [] }
    return owners.filter { $0.value.isUnrecovered(by: host) }.map(\.key)
  }

  /// Removes the host as the owner of such a reactor, and decrements its count of takings.
  package mutating func releaseUnrecovered(_ host: HostID?, _ key: JournalKey) {
    guard let host, owners[key]?.isUnrecovered(by: host) == true else { return }
    owners[key]?.host = nil
    owners[key]?.takings -= 1
  }

  package mutating func clearPoisoned(_ key: JournalKey) { owners[key]?.takings = 0 }

  // MARK: Journals

  private func deleted(_ key: JournalKey) -> Int { owners[key]?.deleted ?? 0 }

  package func extent(of key: JournalKey) -> JournalExtent {
    let deleted = deleted(key)
    return JournalExtent(deleted: deleted, last: journals[key]?.last?.entry.sequence ?? deleted)
  }

  /// Writes without checking the host; see ``append(_:to:by:epoch:now:)``.
  package mutating func write(
    _ batch: ClusterBatch, to key: JournalKey, epoch: Int, now: Duration
  ) throws {
    guard let first = batch.entries.first else { return }
    let last = extent(of: key).last
    if first.sequence <= last { throw ClusterError.taken(key, sequence: first.sequence) }
    if first.sequence > last + 1 { throw ClusterError.fenced(key, epoch: epoch) }
    for command in batch.commands where commands[key]?[command.id] != nil {
      throw ClusterError.taken(key, sequence: command.sequence)
    }
    if last == 0 { sortedIDs[key.name] = nil }
    journals[key, default: []] += batch.entries.map { Row(entry: $0, epoch: epoch) }
    for command in batch.commands {
      commands[key, default: [:]][command.id] = CommandRow(record: command, since: now)
    }
    if batch.isFirst, let version = batch.entries.map(\.version).max() {
      let newest = max(owners[key]?.version ?? 0, version)
      owners[key]?.version = newest
    }
  }

  package mutating func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int, now: Duration
  ) throws {
    guard isOwner(host, of: key, epoch: epoch) else {
      throw ClusterError.fenced(key, epoch: epoch)
    }
    try write(batch, to: key, epoch: epoch, now: now)
  }

  package func epoch(of key: JournalKey, at sequence: Int) -> Int? {
    guard let rows = journals[key], let first = rows.first?.entry.sequence,
      rows.indices.contains(sequence - first)
    else { return nil }
    return rows[sequence - first].epoch
  }

  package func entries(of key: JournalKey, after sequence: Int, limit: Int) -> [JournalEntry] {
    guard let rows = journals[key], let first = rows.first?.entry.sequence else { return [] }
    return rows.dropFirst(max(0, sequence - first + 1)).prefix(limit).map(\.entry)
  }

  package mutating func ids(of name: String, after id: String?, limit: Int) -> [String] {
    let all = sortedIDs[name] ?? allIDs(of: name)
    sortedIDs[name] = all
    let seen = id.map { id in all.countOfFirst { $0 <= id } } ?? 0
    return Array(all[seen...].prefix(limit))
  }

  private func allIDs(of name: String) -> [String] {
    journals.keys.filter { $0.name == name && extent(of: $0).last > 0 }.map(\.id).sorted()
  }

  package func snapshot(of key: JournalKey, through sequence: Int) -> JournalSnapshot? {
    snapshots[key]?.newest(through: sequence)
  }

  package mutating func save(_ snapshot: JournalSnapshot, of key: JournalKey) {
    snapshots[key, default: SnapshotList()].save(snapshot)
  }

  package mutating func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int
  ) {
    switch part {
    case .entries:
      let last = min(sequence, extent(of: key).last)
      journals[key]?.removeAll { $0.entry.sequence <= last }
      let deleted = max(deleted(key), last)
      owners[key]?.deleted = deleted
    case .snapshots: snapshots[key]?.delete(through: sequence)
    }
  }

  // MARK: Commands

  package func command(_ id: UUID, of key: JournalKey) -> CommandRecord? {
    commands[key]?[id]?.record
  }

  package mutating func answer(_ id: UUID, of key: JournalKey, with answer: Data) {
    commands[key]?[id]?.record.answer = answer
  }

  package mutating func deleteCommands(before then: Duration) {
    commands = commands.compactMapValues { kept in
      let young = kept.filter { $0.value.since >= then }
      return young.isEmpty ? nil : young
    }
  }
}
