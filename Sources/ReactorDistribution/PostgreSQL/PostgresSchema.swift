import Foundation

/// The tables of a ``PostgresStore``, in a schema of their own.
enum PostgresSchema {
  private static let version = 1

  /// Creates the tables, unless they exist.
  ///
  /// - Throws: ``ClusterError/unusable(_:)`` if a later version of the library has created them.
  static func migrate(_ name: String, _ connection: PostgresConnection) throws {
    try connection.query("begin")
    do {
      // If hosts start at the same time, the second one waits, and finds the tables.
      try connection.query(
        "select pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("reactor \(name)")])
      // If they exist, the role needs no right to create them. The name of the schema cannot be a
      // parameter; it has only `a` to `z`, digits and underscores.
      if try !exists("to_regnamespace", name, connection) {
        try connection.query("create schema \"\(name)\"")
      }
      if try !exists("to_regclass", "reactor_schema", connection) {
        try connection.query("create table reactor_schema (version int not null)")
      }
      let found = try connection.query("select max(version) from reactor_schema").rows[0][0]
      let version = found.flatMap { Int($0) } ?? 0
      if version > Self.version {
        throw ClusterError.unusable("schema '\(name)' is of version \(version), made later")
      }
      if version < 1 {
        for statement in first { try connection.query(statement) }
        try connection.query(
          "insert into reactor_cluster (secret) values ($1)",
          [.text(UUID().uuidString + UUID().uuidString)])
        try connection.query("insert into reactor_schema (version) values (1)")
      }
      try connection.query("commit")
    } catch {
      _ = try? connection.query("rollback")
      throw error
    }
  }

  private static func exists(
    _ look: String, _ name: String, _ connection: PostgresConnection
  ) throws -> Bool {
    try connection.query("select \(look)($1) is not null", [.text(name)]).rows[0][0] == "t"
  }

  private static let first = [
    """
    create table reactor_cluster (secret text not null)
    """,
    """
    create table reactor_host (
      host uuid primary key, address text not null, expires_at timestamptz not null,
      leaving boolean not null default false) with (fillfactor = 50)
    """,
    """
    create table reactor_owner (
      kind text not null, id text not null, host uuid, epoch bigint not null default 0,
      takings int not null default 0, version int not null default 0,
      deleted bigint not null default 0, primary key (kind, id)) with (fillfactor = 80)
    """,
    """
    create table reactor_journal (
      kind text not null, id text not null, seq bigint not null, epoch bigint not null,
      version int not null, change smallint not null, target bigint, payload bytea not null,
      cause text, at float8 not null, state_hash bigint, primary key (kind, id, seq))
    """,
    """
    create table reactor_command (
      kind text not null, id text not null, command uuid not null, seq bigint not null,
      answer bytea, at timestamptz not null default clock_timestamp(),
      primary key (kind, id, command))
    """,
    "create index reactor_command_at on reactor_command (at)",
    """
    create table reactor_snapshot (
      kind text not null, id text not null, seq bigint not null, version int not null,
      payload bytea not null, primary key (kind, id, seq))
    """,
  ]
}
