import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Hosts that are processes with a network each, and cables that are pulled out.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing),
  .enabled(if: HostNetwork.isPermitted, HostNetwork.refusal), .serialized, .bounded)
struct ClusterNetworkTests {
  /// Two hosts, of which the first has a list with one entry, and keeps it.
  private func pair(
    _ body: (
      _ network: HostNetwork, _ recorder: HistoryRecorder, _ list: String, _ hosts: [FixtureHost]
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
    let recorder = HistoryRecorder()
    let list = try await self.list(of: hosts[0], in: store)
    #expect(await recorder.append(1, to: list, by: hosts[0]) == 1)
    try await body(network, recorder, list, hosts)
    #expect(try await recorder.problems(in: store) == [])
    store.close()
  }

  /// A list whose place is that host, also once it knows of the other: it is not given back.
  private func list(of host: FixtureHost, in store: PostgresStore) async throws -> String {
    let rows = try await store.query("select host, address from reactor_host").rows
    let hosts = try rows.map { row in
      ClusterHost(
        id: HostID(try #require(row[0].flatMap { UUID(uuidString: $0) })),
        address: try #require(row[1]))
    }
    return try #require(
      (1...1_000).lazy.map(String.init).first {
        Placement.host(for: "list", $0, among: hosts)?.address == host.address
      })
  }

  @Test func `an owner that is cut off is replaced, and pending requests are done then`()
    async throws
  {
    try await pair { network, recorder, list, hosts in
      let (own, other) = (hosts[0], hosts[1])
      network.cut(0)
      async let late = recorder.append(2, to: list, by: own)
      #expect(await recorder.append(3, to: list, by: other) == 2)
      network.cut(0, false)
      #expect(await late == 3)
      #expect(await recorder.append(4, to: list, by: own) == 4)
    }
  }

  @Test func `hosts that reach the database but not one another do nothing twice`()
    async throws
  {
    try await pair { network, recorder, list, hosts in
      let (own, other) = (hosts[0], hosts[1])
      // So that there is a connection, which says nothing from now on.
      #expect(await recorder.append(2, to: list, by: other) == 2)
      network.partition()
      async let late = recorder.append(3, to: list, by: other)
      // The owner has its lease, and so keeps the list.
      for value in 4...6 { #expect(await recorder.append(value, to: list, by: own) == value - 1) }
      network.partition(false)
      #expect(await late == 6)
      #expect(await recorder.append(7, to: list, by: other) == 7)
    }
  }
}
