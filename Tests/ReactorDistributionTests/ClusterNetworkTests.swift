import Foundation
import Reactor
import ReactorJournal
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts that are processes with a network each, and cables that are pulled out.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing),
  .enabled(if: HostNetwork.isPermitted, HostNetwork.refusal), .serialized, .timeLimit(.minutes(5)))
struct ClusterNetworkTests {
  /// Two hosts, of which one has the list "1", with one entry.
  private func pair(
    _ body: (
      _ network: HostNetwork, _ book: HistoryBook, _ owner: Int, _ hosts: [FixtureHost]
    ) async throws -> Void
  ) async throws {
    let network = try HostNetwork(2)
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    let proxy = try PostgresProxy(to: info, at: network.center)
    let store = try await PostgresServer.shared.store(schema: schema)
    var hosts: [FixtureHost] = []
    for number in 0..<2 {
      hosts.append(
        try await FixtureHost(proxy.info, schema: schema, lease: 2, in: (network, number)))
    }
    let book = HistoryBook()
    #expect(await book.append(1, to: "1", by: hosts[0]) == 1)
    let place = try await settled(store)
    let owner = try #require(hosts.firstIndex { $0.address == place.address })
    try await body(network, book, owner, hosts)
    #expect(try await book.problems(in: store) == [])
    store.close()
  }

  /// The host that has the list "1" and keeps it: the one that began it may not have known of the
  /// other, to which it then goes.
  private func settled(_ store: PostgresStore) async throws -> ClusterHost {
    let rows = try await store.query("select host, address from reactor_host").rows
    let hosts = try rows.map { row in
      ClusterHost(
        id: HostID(try #require(row[0].flatMap { UUID(uuidString: $0) })),
        address: try #require(row[1]))
    }
    let place = try #require(Placement.host(for: "list", "1", among: hosts))
    while try await store.owner(of: JournalKey(name: "list", id: "1"))?.host != place {
      // The server waits, and nobody spins.
      try await store.query("select pg_sleep(0.02)")
    }
    return place
  }

  @Test func `an owner that is cut off is replaced, and what it was asked is done after that`()
    async throws
  {
    try await pair { network, book, owner, hosts in
      let (own, other) = (hosts[owner], hosts[1 - owner])
      network.cut(owner)
      async let late = book.append(2, to: "1", by: own)
      #expect(await book.append(3, to: "1", by: other) == 2)
      network.cut(owner, false)
      #expect(await late == 3)
      #expect(await book.append(4, to: "1", by: own) == 4)
    }
  }

  @Test func `hosts that reach the database and not one another do nothing twice`()
    async throws
  {
    try await pair { network, book, owner, hosts in
      let (own, other) = (hosts[owner], hosts[1 - owner])
      // So that there is a connection, which says nothing from now on.
      #expect(await book.append(2, to: "1", by: other) == 2)
      network.keepApart()
      async let late = book.append(3, to: "1", by: other)
      // The owner has its lease, and so keeps the list.
      for value in 4...6 { #expect(await book.append(value, to: "1", by: own) == value - 1) }
      network.keepApart(false)
      #expect(await late == 6)
      #expect(await book.append(7, to: "1", by: other) == 7)
    }
  }
}
