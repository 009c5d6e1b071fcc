import Foundation

@testable import ReactorDistribution

/// A server of a test's own, and a standby of it.
actor PostgresPair {
  private let folder: String
  private var standbyFolder: String?
  private var standby: String?
  private let pool: PostgresPool
  /// Where the primary is, as libpq has it.
  nonisolated let info: String
  /// What the standby's history is called once it has taken over.
  nonisolated let term: ClusterTerm

  init() async throws {
    folder = try PostgresServer.folder()
    info = try PostgresServer.start(in: folder)
    pool = PostgresPool(info, count: 1, timeout: .seconds(60)) { _ in }
    let system = try await pool.run {
      try $0.query("select system_identifier from pg_control_system()").rows[0][0]
    }
    term = ClusterTerm(system: system ?? "", timeline: 2)
  }

  deinit { pool.close() }

  /// Where they both are: whichever can be written to.
  var both: String {
    let ports = [info, standby ?? info].compactMap { info in
      info.split(separator: " ").first { $0.hasPrefix("port=") }?.dropFirst(5)
    }
    return "host=127.0.0.1,127.0.0.1 port=\(ports.joined(separator: ",")) user=postgres "
      + "dbname=postgres target_session_attrs=read-write"
  }

  /// Starts a standby, for which the primary does not wait; returns when it follows.
  func attach() async throws {
    let folder = try PostgresServer.folder()
    standby = try PostgresServer.start(in: folder, asStandbyOf: info)
    standbyFolder = folder
    try await until("exists (select 1 from pg_stat_replication where state = 'streaming')")
  }

  /// Has the primary wait for its standby from now on.
  func waitForStandby() async throws {
    try await pool.run { connection in
      try connection.query("alter system set synchronous_standby_names = '*'")
      try connection.query("select pg_reload_conf()")
    }
    try await until("exists (select 1 from pg_stat_replication where sync_state = 'sync')")
  }

  /// The primary is gone, and the standby takes over.
  func failOver() async throws {
    guard let standbyFolder else { throw ClusterError.unusable("there is no standby") }
    try await PostgresServer.stop(in: folder)
    try await PostgresServer.promote(in: standbyFolder)
  }

  /// Returns when the primary says that something is so.
  private func until(_ condition: String) async throws {
    try await pool.run { connection in
      while try connection.query("select \(condition)").rows[0][0] != "t" {
        // The server waits, so that the loop does not spin.
        try connection.query("select pg_sleep(0.02)")
      }
    }
  }
}
