import Foundation
import Reactor
import ReactorRuntime

/// Hosts and their leases in PostgreSQL.
extension PostgresStore {
  private func lease(_ sql: String, _ parameters: [PostgresValue]) async throws -> PostgresRows {
    try await leases.run { try $0.query(sql, parameters, isPrepared: true) }
  }

  private static let live = "h.expires_at > clock_timestamp() and not h.leaving"

  /// Selects the identifier of the database, its timeline, whether it has a standby that it does
  /// not wait for, and a digest of the hosts.
  ///
  /// A client that copies a base backup, receives the log for an archive, or uses logical
  /// replication is not a standby. A role without the right to read details of other clients still
  /// sees that they exist and their names, which is sufficient.
  private static let term = """
    (select system_identifier::text as system from pg_control_system()) s
    cross join (select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline) t
    cross join (
      select current_setting('synchronous_standby_names') = '' and exists (
        select 1 from pg_stat_replication r
        where r.application_name not in ('pg_basebackup', 'pg_receivewal') and not exists (
          select 1 from pg_replication_slots l
          where l.active_pid = r.pid and l.slot_type = 'logical')) as behind) b
    cross join (
      select count(*) || ' ' || coalesce(bit_xor(uuid_hash_extended(h.host, 0)), 0) as digest
      from reactor_host h where \(live)) d
    """

  package func join(
    _ host: ClusterHost, lease: Duration, after ended: HostID?
  ) async throws -> ClusterJoinResult {
    try await query(
      """
      with gone as (
        delete from reactor_host where expires_at < clock_timestamp() - interval '1 hour'),
      forgiven as (
        update reactor_owner set host = null, takings = takings - 1
        where host = $4::uuid and takings > 1)
      insert into reactor_host (host, address, expires_at)
      values ($1, $2, clock_timestamp() + $3::float8 * interval '1 second')
      """,
      [
        .uuid(host.id.uuid), .text(host.address), .double(lease / .seconds(1)),
        ended.map { .uuid($0.uuid) } ?? .null,
      ])
    let rows = try await query(
      """
      select s.system, t.timeline, b.behind, d.digest, h.host, h.address, c.secret
      from reactor_cluster c cross join \(Self.term)
      left join reactor_host h on \(Self.live) order by h.host
      """)
    guard let secret = rows.rows.first?[6] else { throw PostgresError.malformed("no secret") }
    return ClusterJoinResult(view: try view(rows, since: nil), secret: secret)
  }

  /// Renews a lease, and selects the hosts if their digest differs from `$3`.
  ///
  /// Selecting a thousand hosts takes longer than everything else, and hosts rarely change.
  static let renewal = """
    with me as (
      update reactor_host set expires_at = clock_timestamp() + $2::float8 * interval '1 second'
      where host = $1 and expires_at > clock_timestamp() returning host)
    select s.system, t.timeline, b.behind, d.digest, h.host, h.address
    from me cross join \(term) left join lateral (
      select h.host, h.address from reactor_host h
      where d.digest is distinct from $3 and \(live)) h on true
    order by h.host
    """

  package func renew(_ host: HostID, lease: Duration) async throws -> ClusterView? {
    let last = lastHosts.withLock { $0 }
    let rows = try await self.lease(
      Self.renewal,
      [
        .uuid(host.uuid), .double(lease / .seconds(1)), last.map { .text($0.digest) } ?? .null,
      ])
    return rows.isEmpty ? nil : try view(rows, since: last)
  }

  private func view(
    _ rows: PostgresRows, since last: (digest: String, hosts: [ClusterHost])?
  ) throws -> ClusterView {
    guard let first = rows.rows.first, let system = first[0],
      let timeline = first[1].flatMap({ Int($0, radix: 16) }), let digest = first[3]
    else { throw PostgresError.malformed("no term") }
    var view = ClusterView(hosts: [], term: ClusterTerm(system: system, timeline: timeline))
    view.hasAsynchronousStandby = first[2] == "t"
    if let last, last.digest == digest {
      view.hosts = last.hosts
    } else {
      view.hosts = rows.rows.compactMap { row in
        guard let uuid = row[4].flatMap({ UUID(uuidString: $0) }), let address = row[5] else {
          return nil
        }
        return ClusterHost(id: HostID(uuid), address: address)
      }
      lastHosts.withLock { $0 = (digest, view.hosts) }
    }
    return view
  }

  package func markLeaving(_ host: HostID) async throws {
    _ = try await lease(
      "update reactor_host set leaving = true where host = $1", [.uuid(host.uuid)])
  }

  package func leave(_ host: HostID) async throws {
    _ = try await lease("delete from reactor_host where host = $1", [.uuid(host.uuid)])
  }
}
