import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// A cluster in a PostgreSQL database, 15 or later.
///
/// Every function is one statement outside of any transaction, at READ COMMITTED; where it writes
/// for an owner it locks that owner's row in the same statement. What has been acknowledged has
/// been flushed, unless the server is told otherwise (`fsync`).
///
/// The host's lease has a connection of its own: what keeps the others waiting, be it a lock or
/// more work than there are connections, takes no host out of the cluster.
package final class PostgresStore: ClusterStore {
  let pool: PostgresPool
  let leases: PostgresPool
  /// The hosts that there were when they were last named; see ``PostgresStore/renew(_:lease:)``.
  let lastHosts = Guarded<(digest: String, hosts: [ClusterHost])?>(nil)

  /// - Parameters:
  ///   - info: Where the server is, as libpq has it.
  ///   - schema: The schema in which the tables are; made if it is not there.
  ///   - connections: How many connections at most.
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
        "a schema's name has small letters, digits and underscores: '\(schema)'")
    }
    guard PostgresHosts.canRead(info) else {
      throw ClusterError.invalid(
        "the connection string cannot be read: quote a value that has blanks, or percent-encode "
          + "it in a URL")
    }
    let prepare = { @Sendable (connection: PostgresConnection) throws in
      _ = try connection.query("select set_config('search_path', $1, false)", [.text(schema)])
      // Acknowledged is flushed, whatever the role's default is.
      _ = try connection.query(
        """
        select set_config('synchronous_commit', 'on', false)
        where current_setting('synchronous_commit') not in ('on', 'remote_apply')
        """)
    }
    pool = PostgresPool(info, count: connections, timeout: timeout, prepare: prepare)
    // Short enough that a renewal that got lost is tried again before the lease has run out.
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
