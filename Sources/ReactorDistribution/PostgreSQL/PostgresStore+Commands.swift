package import Foundation
package import ReactorJournal

/// Commands in PostgreSQL.
extension PostgresStore {
  /// How many commands one statement deletes.
  static let deleteBatchSize = 5_000

  package func command(_ id: UUID, of key: JournalKey) async throws -> CommandRecord? {
    let rows = try await query(
      "select seq, answer from reactor_command where kind = $1 and id = $2 and command = $3",
      key.values + [.uuid(id)])
    guard let row = rows.rows.first, let sequence = row[0].flatMap({ Int($0) }) else { return nil }
    return CommandRecord(
      id: id, sequence: sequence, answer: row[1].flatMap { Data(postgresHex: $0) })
  }

  package func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) async throws {
    let done = try await query(
      """
      with fence as materialized (
        select 1 from reactor_owner
        where kind = $1 and id = $2 and epoch = $3 and host = $4 for share)
      update reactor_command set answer = $6 from fence
      where kind = $1 and id = $2 and command = $5
      """, key.values(host, epoch) + [.uuid(id), .bytes(answer)])
    if done.affected == 0 { throw ClusterError.fenced(key, epoch: epoch) }
  }

  package func deleteCommands(olderThan age: Duration) async throws {
    // Deleting the commands of a day in one statement could exceed the time limit.
    while true {
      let gone = try await query(
        """
        delete from reactor_command where ctid = any (array(
          select ctid from reactor_command
          where at < clock_timestamp() - $1::float8 * interval '1 second' limit $2))
        """, [.double(age / .seconds(1)), .int(Self.deleteBatchSize)])
      if gone.affected < Self.deleteBatchSize { return }
    }
  }
}
