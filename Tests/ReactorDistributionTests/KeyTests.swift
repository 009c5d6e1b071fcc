import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Which identifiers reactors may have, and that all hosts and stores agree on them.
@Suite(.bounded) struct KeyTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  private func cluster(
    _ place: ReactorCluster.Place,
    _ body: @Sendable (ClusterRegistry<ListReactor>) async throws -> Void
  ) async throws {
    let cluster = try await ReactorCluster(
      place, address: "http://127.0.0.1:\(try PostgresServer.freePort())")
    do {
      try await body(cluster.registry(of: ListReactor.self) { _ in ListReactor() })
    } catch {
      await cluster.drain()
      throw error
    }
    await cluster.drain()
  }

  @Test func `two ways to write the same word are one key, byte for byte`() async throws {
    try await cluster(.inMemory) { lists in
      #expect(Array(lists[Self.composed].id.utf8) == Array(lists[Self.decomposed].id.utf8))
    }
  }

  @Test(.enabled(if: PostgresServer.isInstalled, PostgresServer.missing))
  func `two ways to write the same word are one reactor, also after a restart`() async throws {
    let (info, schema) = (try await PostgresServer.shared.info, PostgresServer.name())
    try await cluster(.postgres(info, schema: schema)) { lists in
      let count = try await lists[Self.composed].ask { .append(7, $0) }
      #expect(count == 1)
    }
    try await cluster(.postgres(info, schema: schema)) { lists in
      let list = try await lists[Self.decomposed].ask { .read($0) }
      #expect(list == [7])
    }
  }

  @Test(arguments: ["1\0", String(repeating: "x", count: 1_025)])
  func `a key that no store can distinguish from others is refused at once`(_ id: String)
    async throws
  {
    try await cluster(.inMemory) { lists in
      await #expect {
        try await lists[id].send(.add(1))
      } throws: { error in
        guard case ClusterError.wrongKey = error else { return false }
        // Over HTTP it is a 400.
        return if case .invalid? = (error as? ClusterError)?.kindOfError { true } else { false }
      }
    }
  }

  @Test(.enabled(if: PostgresServer.isInstalled, PostgresServer.missing))
  func `no statement cuts a text short`() async throws {
    let store = try await PostgresServer.shared.store()
    let host = ClusterHost(id: HostID(UUID()), address: "http://host")
    _ = try await store.join(host, lease: .seconds(600))
    let key = JournalKey(name: "list", id: "1")
    await #expect(throws: (any Error).self) {
      try await store.take(
        JournalKey(name: "list", id: "1\0x"), for: host.id, version: 1, limit: 5)
    }
    #expect(try await store.owner(of: key) == nil)
    store.close()
  }
}
