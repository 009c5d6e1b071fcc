import Foundation
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Connections that wait for what others have, and a lease that must not wait with them.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .bounded)
struct PostgresPoolTests {
  private func pool(timeout: Duration = .seconds(60)) async throws -> PostgresPool {
    PostgresPool(try await PostgresServer.shared.info, count: 1, timeout: timeout) { _ in }
  }

  private func lock(_ number: Int, _ pool: PostgresPool, _ word: String = "lock") async throws {
    _ = try await pool.run { try $0.query("select pg_advisory_\(word)($1)", [.int(number)]) }
  }

  @Test func `a statement that took too long ends its connection, and no other`()
    async throws
  {
    let (impatient, other) = (try await pool(timeout: .milliseconds(200)), try await pool())
    try await lock(11, other)
    await #expect {
      try await lock(11, impatient)
    } throws: { error in
      if case PostgresError.lost = error { true } else { false }
    }
    let rows = try await impatient.run { try $0.query("select 1").rows }
    #expect(rows == [["1"]])
    for pool in [impatient, other] { pool.close() }
  }

  @Test func `a statement that was cancelled before it began never runs`() async throws {
    let (one, other) = (try await pool(), try await pool())
    try await lock(13, other)
    let order = Log<String>()
    async let first: Void = one.run {
      order.append("first")
      _ = try $0.query("select pg_advisory_lock(13)")
    }
    try await other.untilWaiting(1)
    let second = Task { try await one.run { _ in order.append("second") } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await lock(13, other, "unlock")
    try await first
    try await one.run { _ in order.append("third") }
    #expect(order.entries == ["first", "third"])
    for pool in [one, other] { pool.close() }
  }

  @Test func `a lease is renewed while every other statement waits`() async throws {
    let store = try await PostgresServer.shared.store(connections: 4, timeout: .seconds(10))
    let other = try await pool()
    let host = ClusterHost(id: HostID(UUID()), address: "http://host")
    _ = try await store.join(host, lease: .seconds(600))
    try await lock(12, other)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try await store.query("select pg_advisory_lock_shared(12)") }
      }
      try await other.untilWaiting(4)
      #expect(try await store.renew(host.id, lease: .seconds(600)) != nil)
      try await lock(12, other, "unlock")
      // None of them had to give up for that.
      try await group.waitForAll()
    }
    for pool in [store.pool, other] { pool.close() }
  }
}

extension PostgresPool {
  /// Returns once so many sessions wait for what this pool's one connection has.
  func untilWaiting(_ count: Int) async throws {
    try await run { connection in
      let question = """
        select count(distinct pid) from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
        """
      while try connection.query(question).rows[0][0].flatMap({ Int($0) }) ?? 0 < count {
        // The server waits, so that the loop does not spin.
        try connection.query("select pg_sleep(0.01)")
      }
    }
  }
}
