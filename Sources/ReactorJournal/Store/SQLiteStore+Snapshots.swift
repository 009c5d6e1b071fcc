import Foundation
import GRDB

/// Snapshots, and the deletion of what they cover.
extension SQLiteStore {
  /// Returns a snapshot; see ``JournalStore/snapshot(of:through:)``.
  public func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? {
    try await read { db in
      guard let owner = try Self.owner(of: key, db) else { return nil }
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT sequence, version, payload, checksum FROM journal_snapshot
          WHERE owner = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1
          """, arguments: [owner.number, sequence])
      guard let row else { return nil }
      guard let found: Int = row.value(0), let version: Int = row.value(1),
        let payload: Data = row.value(2), let checksum: Int64 = row.value(3)
      else { throw JournalError.corrupt(key, sequence: 0) }
      let snapshot = JournalSnapshot(sequence: found, version: version, payload: payload)
      guard snapshot.checksum == UInt64(bitPattern: checksum) else {
        throw JournalError.undecodableSnapshot(
          key, sequence: snapshot.sequence, version: snapshot.version,
          cause: JournalError.corrupt(key, sequence: snapshot.sequence))
      }
      return snapshot
    }
  }

  /// Stores a snapshot; see ``JournalStore/save(_:of:epoch:)``.
  public func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await write(key, epoch, bytes: snapshot.payload.count) { db, owner in
      try TooLarge.check(snapshot.payload, db)
      try db.execute(
        sql: "INSERT OR REPLACE INTO journal_snapshot VALUES (?, ?, ?, ?, ?)",
        arguments: [
          owner, snapshot.sequence, snapshot.version, snapshot.payload,
          Int64(bitPattern: snapshot.checksum),
        ])
    }
  }

  /// Deletes entries; see ``JournalStore/deleteEntries(of:through:epoch:)``.
  public func deleteEntries(
    of key: JournalKey, through sequence: Int, epoch: Int
  ) async throws {
    var isDone = false
    // In parts, since other reactors' writes wait for each.
    while !isDone {
      isDone = try await write(key, epoch) { db, owner in
        let first = try Int.fetchOne(
          db, sql: "SELECT min(sequence) FROM journal_entry WHERE owner = ?", arguments: [owner])
        let last = Self.lastToDelete(from: first ?? sequence, through: sequence)
        try db.execute(
          sql: "DELETE FROM journal_entry WHERE owner = ? AND sequence <= ?",
          arguments: [owner, last])
        try db.execute(
          sql: "UPDATE journal_owner SET deleted = max(deleted, min(last, ?)) WHERE number = ?",
          arguments: [last, owner])
        return last == sequence
      }
    }
  }

  /// How many entries are deleted in one transaction.
  private static let deletionLimit = 1_000

  private static func lastToDelete(from first: Int, through sequence: Int) -> Int {
    let (count, isOverflow) = sequence.subtractingReportingOverflow(first)
    return isOverflow || count < deletionLimit ? sequence : first + deletionLimit - 1
  }

  /// Deletes snapshots; see ``JournalStore/deleteSnapshots(of:through:epoch:)``.
  public func deleteSnapshots(
    of key: JournalKey, through sequence: Int, epoch: Int
  ) async throws {
    try await write(key, epoch) { db, owner in
      try db.execute(
        sql: "DELETE FROM journal_snapshot WHERE owner = ? AND sequence <= ?",
        arguments: [owner, sequence])
    }
  }
}
