import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What a store in PostgreSQL does that others need not.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .bounded)
struct PostgresStoreTests {
  private func hosts(_ count: Int) -> [ClusterHost] {
    (0..<count).map { ClusterHost(id: HostID(UUID()), address: "http://host-\($0)") }
  }

  @Test func `a renewal lists the hosts only when they have changed`() async throws {
    let store = try await PostgresServer.shared.store()
    let hosts = hosts(3)
    for host in hosts.prefix(2) { _ = try await store.join(host, lease: .seconds(600)) }
    let renew = { (digest: PostgresValue) in
      try await store.query(
        PostgresStore.renewal, [.uuid(hosts[0].id.uuid), .double(600), digest]
      ).rows
    }
    let first = try await renew(.null)
    #expect(Set(first.map { $0[5] }) == Set(hosts.prefix(2).map(\.address)))
    let digest = try #require(first[0][3])
    let second = try await renew(.text(digest))
    #expect(second.count == 1)
    #expect(second[0][4] == nil)
    _ = try await store.join(hosts[2], lease: .seconds(600))
    #expect(try await renew(.text(digest)).count == 3)
    // A lease that runs out is not written by any host, and is detected all the same.
    try await store.query(
      "update reactor_host set expires_at = clock_timestamp() where host = $1",
      [.uuid(hosts[2].id.uuid)])
    #expect(try await renew(.text(digest)).count == 1)
    try await store.query(
      "update reactor_host set expires_at = clock_timestamp() where host = $1",
      [.uuid(hosts[1].id.uuid)])
    #expect(try await renew(.text(digest)).map { $0[5] } == [hosts[0].address])
    store.close()
  }

  @Test func `a role that may not create tables uses those that exist`() async throws {
    let schema = PostgresServer.name()
    let store = try await PostgresServer.shared.store(schema: schema)
    // The role is the server's, and gone with it.
    let role = PostgresServer.name()
    for statement in [
      "create role \(role) login", "grant usage on schema \(schema) to \(role)",
      "grant select, insert, update, delete on all tables in schema \(schema) to \(role)",
    ] { try await store.query(statement) }
    let info = try await PostgresServer.shared.info
      .replacing("user=postgres", with: "user=\(role)")
    let other = try await PostgresStore(
      info, schema: schema, connections: 1, timeout: .seconds(5))
    let host = hosts(1)[0]
    #expect(try await other.join(host, lease: .seconds(600)).view.hosts == [host])
    #expect(try await other.renew(host.id, lease: .seconds(600))?.hosts == [host])
    for store in [store, other] { store.close() }
  }

  @Test func `all commands that are too old are deleted, and none besides`() async throws {
    let store = try await PostgresServer.shared.store(connections: 1)
    let count = PostgresStore.deleteBatchSize * 2 + 7
    try await store.query(
      """
      insert into reactor_command (kind, id, command, seq, at)
      select 'list', '1', gen_random_uuid(), n, clock_timestamp()
        - case when n <= $1 then interval '2 days' else interval '1 hour' end
      from generate_series(1, $1::bigint + 3) n
      """, [.int(count)])
    try await store.deleteCommands(olderThan: .seconds(86_400))
    #expect(try await store.query("select count(*) from reactor_command").rows == [["3"]])
    store.close()
  }

  @Test func `a statement is read and planned once for each connection`() async throws {
    let store = try await PostgresServer.shared.store(connections: 1)
    for number in 1...3 {
      _ = try await store.owner(of: JournalKey(name: "list", id: "\(number)"))
    }
    let used = try await store.query(
      """
      select generic_plans + custom_plans from pg_prepared_statements
      where statement like 'select h.host, h.address, o.epoch%'
      """)
    #expect(used.rows == [["3"]])
    store.close()
  }

  @Test func `a store without connections is refused`() async throws {
    let info = try await PostgresServer.shared.info
    await #expect(throws: ClusterError.self) {
      try await PostgresStore(info, schema: "s", connections: 0, timeout: .seconds(5))
    }
  }
}

/// Options that are none.
@Suite(.bounded) struct ClusterOptionsTests {
  private static let wrong: [@Sendable (inout ClusterOptions) -> Void] = [
    { $0.lease = .zero }, { $0.retryTimeout = .seconds(-1) }, { $0.callLimit = 0 },
    { $0.bodyLimit = 0 }, { $0.recoveryAttemptLimit = 0 }, { $0.handoverLimit = -1 },
    { $0.commandRetention = .seconds(-1) },
  ]

  @Test(arguments: Self.wrong.indices)
  func `invalid options are refused before anything begins`(_ place: Int) async throws {
    var options = ClusterOptions()
    Self.wrong[place](&options)
    await #expect {
      _ = try await ReactorCluster(.inMemory, options: options)
    } throws: { error in
      if case ClusterError.invalid = error { true } else { false }
    }
  }
}
