package import Foundation
package import ReactorJournal

/// A cluster in a PostgreSQL database, 15 or later.
///
/// Every function is one statement outside of any transaction, at READ COMMITTED; where it writes
/// for an owner it locks that owner's row in the same statement. What has been acknowledged has
/// been flushed, unless the server is told otherwise (`fsync`).
///
/// The host's lease has a connection of its own: what keeps the others waiting, be it a lock or
/// more work than there are connections, takes no host out of the cluster.
package final class PostgresStore: ClusterStore {
  let pool: PostgresPool
  private let leases: PostgresPool

  /// - Parameters:
  ///   - info: Where the server is, as libpq has it.
  ///   - schema: The schema in which the tables are; made if it is not there.
  ///   - connections: How many connections at most.
  ///   - timeout: How long a statement may take.
  /// - Throws: ``ClusterError/unusable(_:)``.
  package init(
    _ info: String, schema: String, connections: Int, timeout: Duration
  ) async throws {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
    guard !schema.isEmpty, schema.utf8.count <= 63, schema.allSatisfy(letters.contains),
      schema.first?.isNumber == false
    else {
      throw ClusterError.invalid(
        "a schema's name has small letters, digits and underscores: '\(schema)'")
    }
    let prepare = { @Sendable (connection: PostgresConnection) throws in
      _ = try connection.query("select set_config('search_path', $1, false)", [.text(schema)])
      // Acknowledged is flushed, whatever the role's default is.
      _ = try connection.query(
        """
        select set_config('synchronous_commit', 'on', false)
        where current_setting('synchronous_commit') not in ('on', 'remote_apply')
        """)
    }
    pool = PostgresPool(info, count: connections, timeout: timeout, prepare: prepare)
    // Short enough that a renewal that got lost is tried again before the lease has run out.
    leases = PostgresPool(info, count: 1, timeout: timeout / 4, prepare: prepare)
    do {
      try await pool.run { try PostgresSchema.migrate(schema, $0) }
    } catch let error as ClusterError {
      close()
      throw error
    } catch {
      close()
      throw ClusterError.unusable("\(error)")
    }
  }

  package func close() {
    pool.close()
    leases.close()
  }

  /// Runs one statement.
  @discardableResult
  func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresRows {
    try await pool.run { try $0.query(sql, parameters) }
  }

  // MARK: Hosts

  private func lease(_ sql: String, _ parameters: [PostgresValue]) async throws -> PostgresRows {
    try await leases.run { try $0.query(sql, parameters) }
  }

  private static let live = "h.expires_at > clock_timestamp() and not h.leaving"

  /// The database's own identifier, and its timeline.
  private static let term = """
    (select system_identifier::text as system from pg_control_system()) s
    cross join (select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline) t
    """

  package func enter(_ host: ClusterHost, lease: Duration) async throws -> ClusterEntrance {
    try await query(
      """
      with gone as (
        delete from reactor_host where expires_at < clock_timestamp() - interval '1 hour')
      insert into reactor_host (host, address, expires_at)
      values ($1, $2, clock_timestamp() + $3::float8 * interval '1 second')
      """, [.uuid(host.id.uuid), .text(host.address), .double(lease / .seconds(1))])
    let rows = try await query(
      """
      select h.host, h.address, s.system, t.timeline, c.secret
      from reactor_cluster c cross join \(Self.term)
      left join reactor_host h on \(Self.live) order by h.host::text
      """)
    guard let secret = rows.rows.first?[4] else { throw PostgresError.garbled("no secret") }
    return ClusterEntrance(view: try view(rows), secret: secret)
  }

  package func renew(_ host: HostID, lease: Duration) async throws -> ClusterView? {
    let rows = try await self.lease(
      """
      with me as (
        update reactor_host set expires_at = clock_timestamp() + $2::float8 * interval '1 second'
        where host = $1 and expires_at > clock_timestamp() returning host)
      select h.host, h.address, s.system, t.timeline
      from me cross join \(Self.term) left join reactor_host h on \(Self.live)
      order by h.host::text
      """, [.uuid(host.uuid), .double(lease / .seconds(1))])
    return rows.isEmpty ? nil : try view(rows)
  }

  private func view(_ rows: PostgresRows) throws -> ClusterView {
    guard let first = rows.rows.first, let system = first[2], let timeline = first[3] else {
      throw PostgresError.garbled("no term")
    }
    let hosts = rows.rows.compactMap { row -> ClusterHost? in
      guard let uuid = row[0].flatMap({ UUID(uuidString: $0) }), let address = row[1] else {
        return nil
      }
      return ClusterHost(id: HostID(uuid), address: address)
    }
    return ClusterView(
      hosts: hosts, term: ClusterTerm(system: system, timeline: Int(timeline, radix: 16) ?? 0))
  }

  package func depart(_ host: HostID) async throws {
    _ = try await lease(
      "update reactor_host set leaving = true where host = $1", [.uuid(host.uuid)])
  }

  package func leave(_ host: HostID) async throws {
    _ = try await lease("delete from reactor_host where host = $1", [.uuid(host.uuid)])
  }

  // MARK: Owners

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
  ) async throws -> ClusterTaking {
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

  /// Why a reactor cannot be taken; `nil` where it can by now.
  private func obstacle(
    _ key: JournalKey, _ host: HostID, _ version: Int, _ limit: Int
  ) async throws -> ClusterTaking? {
    let rows = try await query(
      """
      select h.host, h.address, o.epoch, o.takings, o.version, exists (
        select 1 from reactor_host m where m.host = $3 and m.expires_at > clock_timestamp())
      from reactor_owner o
      left join reactor_host h on h.host = o.host and h.expires_at > clock_timestamp()
      where o.kind = $1 and o.id = $2
      """, key.values + [.uuid(host.uuid)])
    guard let row = rows.rows.first else { return nil }
    if row[5] != "t" { return .hostIsOver }
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

  package func pardon(_ key: JournalKey) async throws {
    try await query(
      "update reactor_owner set takings = 0 where kind = $1 and id = $2", key.values)
  }

  // MARK: Commands

  package func command(_ id: UUID, of key: JournalKey) async throws -> CommandRecord? {
    let rows = try await query(
      "select seq, answer from reactor_command where kind = $1 and id = $2 and command = $3",
      key.values + [.uuid(id)])
    guard let row = rows.rows.first, let sequence = row[0].flatMap({ Int($0) }) else { return nil }
    return CommandRecord(
      id: id, sequence: sequence, answer: row[1].flatMap { Data(postgresHex: $0) })
  }

  package func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) async throws {
    let done = try await query(
      """
      with fence as materialized (
        select 1 from reactor_owner
        where kind = $1 and id = $2 and epoch = $3 and host = $4 for share)
      update reactor_command set answer = $6 from fence
      where kind = $1 and id = $2 and command = $5
      """, key.values(host, epoch) + [.uuid(id), .bytes(answer)])
    if done.affected == 0 { throw ClusterError.fenced(key, epoch: epoch) }
  }

  package func forgetCommands(olderThan age: Duration) async throws {
    try await query(
      "delete from reactor_command where at < clock_timestamp() - $1::float8 * interval '1 second'",
      [.double(age / .seconds(1))])
  }
}

extension JournalKey {
  var values: [PostgresValue] { [.text(name), .text(id)] }

  func values(_ host: HostID, _ epoch: Int) -> [PostgresValue] {
    values + [.int(epoch), .uuid(host.uuid)]
  }
}
