import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// A cluster store in a PostgreSQL database, version 15 or later.
///
/// Every function is one statement outside any transaction, at READ COMMITTED. A statement that
/// writes for an owner also locks the owner's row. Acknowledged writes have been flushed, unless
/// the server is configured otherwise (`fsync`).
///
/// The host's lease has a separate connection. Locks, or more work than connections, may delay the
/// other connections, but they do not remove a host from the cluster.
package final class PostgresStore: ClusterStore {
  let pool: PostgresPool
  let leases: PostgresPool
  /// The hosts when they were last selected; see ``PostgresStore/renew(_:lease:)``.
  let lastHosts = Guarded<(digest: String, hosts: [ClusterHost])?>(nil)

  /// Connects to a database, and creates the tables.
  ///
  /// - Parameters:
  ///   - info: The connection string for libpq.
  ///   - schema: The schema of the tables; it is created if it does not exist.
  ///   - connections: The maximum number of connections.
  ///   - timeout: How long a statement may take.
  /// - Throws: ``ClusterError/unusable(_:)``, or ``ClusterError/invalid(_:)``.
  package init(
    _ info: String, schema: String, connections: Int, timeout: Duration
  ) async throws {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
    guard connections > 0, timeout > .zero else {
      throw ClusterError.invalid("a host needs a connection, and time for a statement")
    }
    guard !schema.isEmpty, schema.utf8.count <= 63, schema.allSatisfy(letters.contains),
      schema.first?.isNumber == false
    else {
      throw ClusterError.invalid(
        "a schema's name has only a to z, 0 to 9 and underscores: '\(schema)'")
    }
    guard PostgresHosts.canRead(info) else {
      throw ClusterError.invalid(
        "the connection string cannot be read: quote a value that has blanks, or percent-encode "
          + "it in a URL")
    }
    let prepare = { @Sendable (connection: PostgresConnection) throws in
      _ = try connection.query("select set_config('search_path', $1, false)", [.text(schema)])
      // Acknowledged writes are flushed, whatever the default of the role is.
      _ = try connection.query(
        """
        select set_config('synchronous_commit', 'on', false)
        where current_setting('synchronous_commit') not in ('on', 'remote_apply')
        """)
    }
    pool = PostgresPool(info, count: connections, timeout: timeout, prepare: prepare)
    // The timeout is short enough to repeat a lost renewal before the lease expires.
    leases = PostgresPool(info, count: 1, timeout: timeout / 4, prepare: prepare)
    do {
      try await pool.run { try PostgresSchema.migrate(schema, $0) }
    } catch let error as ClusterError {
      close()
      throw error
    } catch {
      close()
      throw ClusterError.unusable(ReportText.text(ofError: error))
    }
  }

  package func close() {
    pool.close()
    leases.close()
  }

  /// Runs one statement.
  @discardableResult
  func query(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> PostgresRows {
    try await pool.run { try $0.query(sql, parameters, isPrepared: true) }
  }
}

extension JournalKey {
  var values: [PostgresValue] { [.text(name), .text(id)] }

  func values(_ host: HostID, _ epoch: Int) -> [PostgresValue] {
    values + [.int(epoch), .uuid(host.uuid)]
  }
}
