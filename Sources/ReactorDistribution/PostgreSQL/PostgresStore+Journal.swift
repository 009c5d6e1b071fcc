import Foundation
package import ReactorJournal

/// Journals in PostgreSQL.
extension PostgresStore {
  /// The owner's row, locked so that no host can take the reactor before the commit.
  ///
  /// It has to be `for share`: a taking does not change the row's key, so it would not wait for
  /// `for key share`.
  private static let fence = """
    with fence as materialized (
      select 1 from reactor_owner o where o.kind = $1 and o.id = $2 and o.epoch = $3
        and o.host = $4 and ($5 = 1 or o.deleted >= $5 - 1 or exists (
          select 1 from reactor_journal j
          where j.kind = $1 and j.id = $2 and j.seq = $5::bigint - 1))
      for share)
    """

  /// The same for the first batch of an epoch, which also stores the version.
  private static let firstFence = """
    with fence as materialized (
      update reactor_owner o set version = greatest(o.version, $6)
      where o.kind = $1 and o.id = $2 and o.epoch = $3
        and o.host = $4 and ($5 = 1 or o.deleted >= $5 - 1 or exists (
          select 1 from reactor_journal j
          where j.kind = $1 and j.id = $2 and j.seq = $5::bigint - 1))
      returning 1)
    """

  private static func insert(from first: Int) -> String {
    let names = [
      "bigint", "int", "smallint", "bigint", "bytea", "text", "float8", "bigint", "uuid", "bigint",
      "bytea",
    ]
    let arrays = names.enumerated().map { "$\(first + $0.offset)::\($0.element)[]" }
    return """
      , commands as (
        insert into reactor_command (kind, id, command, seq, answer)
        select $1, $2, c.* from unnest(\(arrays[8...].joined(separator: ", "))) c, fence)
      insert into reactor_journal
        (kind, id, epoch, seq, version, change, target, payload, cause, at, state_hash)
      select $1, $2, $3, e.* from unnest(\(arrays[..<8].joined(separator: ", "))) e, fence
      """
  }

  private static let append = fence + insert(from: 6)
  private static let firstAppend = firstFence + insert(from: 7)

  /// Returns the statement that adds a batch; it writes as many rows as there are entries, or none.
  static func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) -> (sql: String, values: [PostgresValue]) {
    let entries = batch.entries
    var values = key.values(host, epoch) + [.int(entries.first?.sequence ?? 0)]
    if batch.isFirst { values.append(.int(entries.map(\.version).max() ?? 0)) }
    values += [
      .array(entries.map { .int($0.sequence) }), .array(entries.map { .int($0.version) }),
      .array(entries.map { .int($0.kind.columns.kind) }),
      .array(entries.map { $0.kind.columns.target.map { .int($0) } ?? .null }),
      .array(entries.map { .bytes($0.payload) }),
      .array(entries.map { $0.cause.map { .text($0) } ?? .null }),
      .array(entries.map { .double($0.time.timeIntervalSinceReferenceDate) }),
      .array(entries.map { $0.stateHash.map { .int(Int(bitPattern: UInt($0))) } ?? .null }),
      .array(batch.commands.map { .uuid($0.id) }),
      .array(batch.commands.map { .int($0.sequence) }),
      .array(batch.commands.map { $0.answer.map { .bytes($0) } ?? .null }),
    ]
    return (batch.isFirst ? firstAppend : append, values)
  }

  package func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) async throws {
    guard let first = batch.entries.first else { return }
    let statement = Self.append(batch, to: key, by: host, epoch: epoch)
    do {
      let done = try await query(statement.sql, statement.values)
      if done.affected == 0 { throw ClusterError.fenced(key, epoch: epoch) }
    } catch let error as PostgresError where error.isUniqueViolation {
      throw ClusterError.taken(key, sequence: first.sequence)
    }
  }

  package func epoch(of key: JournalKey, at sequence: Int) async throws -> Int? {
    let rows = try await query(
      "select epoch from reactor_journal where kind = $1 and id = $2 and seq = $3",
      key.values + [.int(sequence)])
    return rows.rows.first?[0].flatMap { Int($0) }
  }

  package func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    let rows = try await query(
      """
      select seq, version, change, target, payload, cause, at, state_hash from reactor_journal
      where kind = $1 and id = $2 and seq > $3 order by seq limit $4
      """, key.values + [.int(sequence), .int(limit)])
    return try rows.rows.map { row in
      guard let sequence = row[0].flatMap({ Int($0) }), let version = row[1].flatMap({ Int($0) }),
        let payload = row[4].flatMap({ Data(postgresHex: $0) }),
        let kind = JournalEntry.Kind(row[2].flatMap { Int($0) }, row[3].flatMap { Int($0) }),
        let time = row[6].flatMap({ Double($0) })
      else { throw JournalError.corrupt(key, sequence: row[0].flatMap { Int($0) } ?? 0) }
      return JournalEntry(
        sequence: sequence, version: version, kind: kind, payload: payload, cause: row[5],
        time: Date(timeIntervalSinceReferenceDate: time),
        stateHash: row[7].flatMap { Int($0) }.map { UInt64(UInt(bitPattern: $0)) })
    }
  }

  package func extent(of key: JournalKey) async throws -> JournalExtent {
    let rows = try await query(
      """
      select coalesce((select deleted from reactor_owner where kind = $1 and id = $2), 0),
        (select max(seq) from reactor_journal where kind = $1 and id = $2)
      """, key.values)
    let deleted = rows.rows.first?[0].flatMap { Int($0) } ?? 0
    return JournalExtent(
      deleted: deleted, last: rows.rows.first?[1].flatMap { Int($0) } ?? deleted)
  }

  package func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    // The order is that of the primary key, whatever the collation of the database is.
    let rows = try await query(
      """
      select o.id from reactor_owner o
      where o.kind = $1 and ($2::text is null or o.id > $2) and (o.deleted > 0 or exists (
        select 1 from reactor_journal j where j.kind = o.kind and j.id = o.id))
      order by o.id limit $3
      """, [.text(name), id.map { .text($0) } ?? .null, .int(limit)])
    return rows.rows.compactMap { $0[0] }
  }

  package func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? {
    let rows = try await query(
      """
      select seq, version, payload from reactor_snapshot
      where kind = $1 and id = $2 and seq <= $3 order by seq desc limit 1
      """, key.values + [.int(sequence)])
    guard let row = rows.rows.first else { return nil }
    guard let sequence = row[0].flatMap({ Int($0) }), let version = row[1].flatMap({ Int($0) }),
      let payload = row[2].flatMap({ Data(postgresHex: $0) })
    else { throw PostgresError.malformed("a snapshot of \(key)") }
    return JournalSnapshot(sequence: sequence, version: version, payload: payload)
  }

  /// The owner's row, locked.
  private static let plainFence = """
    with fence as materialized (
      select 1 from reactor_owner
      where kind = $1 and id = $2 and epoch = $3 and host = $4 for share)
    """

  package func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) async throws {
    let done = try await query(
      """
      \(Self.plainFence)
      insert into reactor_snapshot (kind, id, seq, version, payload)
      select $1, $2, $5, $6, $7 from fence
      on conflict (kind, id, seq) do update
        set version = excluded.version, payload = excluded.payload
      """,
      key.values(host, epoch) + [
        .int(snapshot.sequence), .int(snapshot.version), .bytes(snapshot.payload),
      ])
    if done.affected == 0 { throw ClusterError.fenced(key, epoch: epoch) }
  }

  package func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) async throws {
    let values = key.values(host, epoch) + [.int(sequence)]
    guard try await isOwner(host, of: key, epoch: epoch) else {
      throw ClusterError.fenced(key, epoch: epoch)
    }
    switch part {
    case .snapshots:
      try await query(
        """
        \(Self.plainFence)
        delete from reactor_snapshot using fence where kind = $1 and id = $2 and seq <= $5
        """, values)
    case .entries:
      try await query(
        """
        with fence as materialized (
          update reactor_owner o set deleted = greatest(o.deleted, least($5, coalesce((
            select max(seq) from reactor_journal j where j.kind = $1 and j.id = $2), o.deleted)))
          where kind = $1 and id = $2 and epoch = $3 and host = $4 returning 1)
        delete from reactor_journal using fence where kind = $1 and id = $2 and seq <= $5
        """, values)
    }
  }
}

extension JournalEntry.Kind {
  fileprivate var columns: (kind: Int, target: Int?) {
    switch self {
    case .change: (0, nil)
    case .undo(let target): (1, target)
    case .redo(let target): (2, target)
    case .command: (3, nil)
    }
  }

  fileprivate init?(_ kind: Int?, _ target: Int?) {
    switch (kind, target) {
    case (0, _): self = .change
    case (1, let target?): self = .undo(target)
    case (2, let target?): self = .redo(target)
    case (3, _): self = .command
    default: return nil
    }
  }
}
