import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// The three interleavings of taking and appending, with two plain connections and no reactor.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .bounded)
struct FenceTests {
  private let key = JournalKey(name: "list", id: "1")
  private let old = HostID(UUID())
  private let new = HostID(UUID())

  /// Two connections, and a reactor that the old host has in epoch 1; its lease is over.
  private struct Fixture: Sendable {
    let one: PostgresPool
    let two: PostgresPool
    let store: PostgresStore
  }

  private func fixture() async throws -> Fixture {
    let schema = PostgresServer.name()
    let store = try await PostgresServer.shared.store(schema: schema)
    let info = try await PostgresServer.shared.info
    let pools = (0..<2).map { _ in
      PostgresPool(info, count: 1, timeout: .seconds(60)) {
        try $0.query("select set_config('search_path', $1, false)", [.text(schema)])
      }
    }
    for host in [old, new] {
      _ = try await store.join(ClusterHost(id: host, address: "\(host)"), lease: .seconds(600))
    }
    let taking = try await store.take(key, for: old, version: 1, limit: 9)
    #expect(taking == .taken(epoch: 1, takings: 1))
    try await store.leave(old)
    return Fixture(one: pools[0], two: pools[1], store: store)
  }

  private func take(_ pool: PostgresPool) async throws -> Int? {
    try await pool.run { [key, new] connection in
      try connection.query(
        PostgresStore.take, key.values + [.uuid(new.uuid), .int(1), .int(9)]
      ).rows.first?[0].flatMap { Int($0) }
    }
  }

  private func append(_ pool: PostgresPool, epoch: Int = 1) async throws -> Int {
    let entry = JournalEntry(sequence: 1, version: 1, payload: Data("7".utf8), time: Date())
    let statement = PostgresStore.append(
      ClusterBatch(entries: [entry]), to: key, by: old, epoch: epoch)
    return try await pool.run { try $0.query(statement.sql, statement.values).affected }
  }

  private func execute(_ words: String, _ pool: PostgresPool) async throws {
    try await pool.run { _ = try $0.query(words) }
  }

  @Test func `taken first: the append writes nothing`() async throws {
    let fixture = try await fixture()
    #expect(try await take(fixture.two) == 2)
    #expect(try await append(fixture.one) == 0)
    #expect(try await fixture.store.extent(of: key).last == 0)
  }

  @Test func `taking in flight: the append waits, and writes nothing`() async throws {
    let fixture = try await fixture()
    try await execute("begin", fixture.two)
    #expect(try await take(fixture.two) == 2)
    async let written = append(fixture.one)
    try await fixture.two.untilWaiting(1)
    try await execute("commit", fixture.two)
    #expect(try await written == 0)
    #expect(try await fixture.store.extent(of: key).last == 0)
  }

  @Test func `append in flight: the taking waits, and its next statement sees the rows`()
    async throws
  {
    let fixture = try await fixture()
    try await execute("begin", fixture.one)
    #expect(try await append(fixture.one) == 1)
    async let taken = take(fixture.two)
    try await fixture.one.untilWaiting(1)
    try await execute("commit", fixture.one)
    #expect(try await taken == 2)
    #expect(try await fixture.store.extent(of: key).last == 1)
  }

  /// Keeps a snapshot for the old host, in the epoch that it had.
  ///
  /// - Returns: Whether it is kept; false where the fence has kept it out.
  private func saveLate(_ store: PostgresStore) async throws -> Bool {
    do {
      let late = JournalSnapshot(sequence: 1, version: 1, payload: Data("late".utf8))
      try await store.save(late, of: key, by: old, epoch: 1)
      return true
    } catch ClusterError.fenced { return false }
  }

  @Test func `taken first: a snapshot is not stored, and replaces no other`() async throws {
    let fixture = try await fixture()
    #expect(try await take(fixture.two) == 2)
    let right = JournalSnapshot(sequence: 1, version: 1, payload: Data("right".utf8))
    try await fixture.store.save(right, of: key, by: new, epoch: 2)
    #expect(try await !saveLate(fixture.store))
    #expect(try await fixture.store.snapshot(of: key, through: 9) == right)
  }

  @Test func `taking in flight: a snapshot waits, and is not stored`() async throws {
    let fixture = try await fixture()
    try await execute("begin", fixture.two)
    #expect(try await take(fixture.two) == 2)
    async let isSaved = saveLate(fixture.store)
    try await fixture.two.untilWaiting(1)
    try await execute("commit", fixture.two)
    #expect(try await !isSaved)
    #expect(try await fixture.store.snapshot(of: key, through: 9) == nil)
  }

  @Test func `of fifty takers exactly one becomes the owner`() async throws {
    let fixture = try await fixture()
    let store = try await PostgresServer.shared.store(connections: 20)
    let hosts = (0..<50).map { _ in HostID(UUID()) }
    for host in hosts {
      _ = try await store.join(ClusterHost(id: host, address: "x"), lease: .seconds(600))
    }
    let takings = try await withThrowingTaskGroup(of: ClusterTakeResult.self) { [key] group in
      for host in hosts {
        group.addTask { try await store.take(key, for: host, version: 1, limit: 9) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(takings.filter { if case .taken = $0 { true } else { false } }.count == 1)
    #expect(takings.filter { if case .owned = $0 { true } else { false } }.count == 49)
    _ = fixture
  }
}

/// Where PostgreSQL is asked for, a run without it fails.
@Suite(.bounded) struct PostgresIsThereTests {
  @Test(.enabled(if: PostgresServer.isRequired, "nobody asked for it by REACTOR_POSTGRES=1"))
  func `PostgreSQL is installed where it is required`() {
    #expect(PostgresServer.isInstalled)
  }
}
