import Foundation
package import ReactorJournal

/// Owners of reactors in PostgreSQL.
extension PostgresStore {
  package func owner(of key: JournalKey) async throws -> ClusterOwner? {
    let rows = try await query(
      """
      select h.host, h.address, o.epoch from reactor_owner o join reactor_host h on h.host = o.host
      where o.kind = $1 and o.id = $2 and h.expires_at > clock_timestamp()
      """, key.values)
    return rows.rows.first.flatMap(owner)
  }

  private func owner(_ row: [String?]) -> ClusterOwner? {
    guard let uuid = row[0].flatMap({ UUID(uuidString: $0) }), let address = row[1],
      let epoch = row[2].flatMap({ Int($0) })
    else { return nil }
    return ClusterOwner(host: ClusterHost(id: HostID(uuid), address: address), epoch: epoch)
  }

  static let take = """
    update reactor_owner o set host = $3, epoch = o.epoch + 1,
      takings = o.takings + case when o.host is distinct from $3::uuid then 1 else 0 end
    where o.kind = $1 and o.id = $2 and o.version <= $4
      and (o.host is not distinct from $3::uuid or o.takings < $5)
      and (o.host is null or o.host = $3 or not exists (
        select 1 from reactor_host h where h.host = o.host and h.expires_at > clock_timestamp()))
      and exists (
        select 1 from reactor_host h where h.host = $3 and h.expires_at > clock_timestamp())
    returning o.epoch, o.takings
    """

  package func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) async throws -> ClusterTakeResult {
    try await query(
      "insert into reactor_owner (kind, id) values ($1, $2) on conflict do nothing", key.values)
    while true {
      let taken = try await query(
        Self.take, key.values + [.uuid(host.uuid), .int(version), .int(limit)])
      if let row = taken.rows.first, let epoch = row[0].flatMap({ Int($0) }) {
        return .taken(epoch: epoch, takings: row[1].flatMap { Int($0) } ?? 1)
      }
      if let why = try await obstacle(key, host, version, limit) { return why }
    }
  }

  /// Returns the reason why a reactor cannot be taken; `nil` if it can be taken by now.
  private func obstacle(
    _ key: JournalKey, _ host: HostID, _ version: Int, _ limit: Int
  ) async throws -> ClusterTakeResult? {
    let rows = try await query(
      """
      select h.host, h.address, o.epoch, o.takings, o.version, exists (
        select 1 from reactor_host m where m.host = $3 and m.expires_at > clock_timestamp())
      from reactor_owner o
      left join reactor_host h on h.host = o.host and h.expires_at > clock_timestamp()
      where o.kind = $1 and o.id = $2
      """, key.values + [.uuid(host.uuid)])
    guard let row = rows.rows.first else { return nil }
    if row[5] != "t" { return .hostExpired }
    let owner = owner(row)
    if let owner, owner.host.id != host { return .owned(owner) }
    if let takings = row[3].flatMap({ Int($0) }), takings >= limit, owner == nil {
      return .poisoned(takings: takings)
    }
    if let newest = row[4].flatMap({ Int($0) }), newest > version {
      return .tooNew(version: newest)
    }
    return nil
  }

  package func recovered(_ key: JournalKey, by host: HostID, epoch: Int) async throws {
    try await query(
      """
      update reactor_owner set takings = 0
      where kind = $1 and id = $2 and epoch = $3 and host = $4
      """, key.values(host, epoch))
  }

  package func release(_ key: JournalKey, by host: HostID, epoch: Int) async throws {
    try await query(
      """
      update reactor_owner set host = null, takings = 0
      where kind = $1 and id = $2 and epoch = $3 and host = $4
      """, key.values(host, epoch))
  }

  package func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) async throws -> Bool {
    let rows = try await query(
      "select 1 from reactor_owner where kind = $1 and id = $2 and epoch = $3 and host = $4",
      key.values(host, epoch))
    return !rows.isEmpty
  }

  package func clearPoisoned(_ key: JournalKey) async throws {
    try await query(
      "update reactor_owner set takings = 0 where kind = $1 and id = $2", key.values)
  }
}
