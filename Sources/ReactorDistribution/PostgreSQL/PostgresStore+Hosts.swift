import Foundation

/// Hosts and their leases, in PostgreSQL.
extension PostgresStore {
  private func lease(_ sql: String, _ parameters: [PostgresValue]) async throws -> PostgresRows {
    try await leases.run { try $0.query(sql, parameters, isPrepared: true) }
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
}
