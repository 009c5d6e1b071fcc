import GRDB

/// The rows of the journals in the file, one for each.
extension SQLiteStore {
  struct Owner {
    let number: Int64
    let epoch: Int
    let extent: JournalExtent
  }

  /// Returns the number of a journal's row, which is inserted if there is none.
  func number(of key: JournalKey) async throws -> Int64 {
    if let owner = try await read({ try Self.owner(of: key, $0) }) { return owner.number }
    return try await change { db in
      if let owner = try Self.owner(of: key, db) { return owner.number }
      try db.cachedStatement(sql: "INSERT INTO journal_owner (name, id) VALUES (?, ?)")
        .execute(arguments: [key.name, key.id])
      return db.lastInsertedRowID
    }
  }

  static func owned(_ key: JournalKey, _ epoch: Int, _ db: Database) throws -> Owner {
    guard let owner = try owner(of: key, db), owner.epoch == epoch else {
      throw JournalError.fenced(key, epoch: epoch)
    }
    return owner
  }

  /// Checks that the journal ends where its owner's row says.
  static func checkEnd(of owner: Owner, _ key: JournalKey, _ db: Database) throws {
    let last = try Int.fetchOne(
      db, sql: "SELECT max(sequence) FROM journal_entry WHERE owner = ?",
      arguments: [owner.number])
    guard last ?? owner.extent.deleted == owner.extent.last else {
      throw JournalError.corrupt(key, sequence: owner.extent.last)
    }
  }

  static func owner(of key: JournalKey, _ db: Database) throws -> Owner? {
    try row(of: key, db).map { row in
      guard let number: Int64 = row.value(0), let epoch: Int = row.value(1), epoch < .max,
        let deleted: Int = row.value(2), let last: Int = row.value(3), deleted >= 0, deleted <= last
      else { throw JournalError.corrupt(key, sequence: 0) }
      return Owner(
        number: number, epoch: epoch, extent: JournalExtent(deleted: deleted, last: last))
    }
  }

  /// Returns the row of a key, or one with the decomposed identifier that an earlier version wrote.
  static func row(of key: JournalKey, _ db: Database) throws -> Row? {
    // SQLite would compare only the text before the NUL.
    try key.check()
    let select = try db.cachedStatement(
      sql: "SELECT number, epoch, deleted, last FROM journal_owner WHERE name = ? AND id = ?")
    let row = try Row.fetchOne(select, arguments: [key.name, key.id])
    if row != nil || CanonicalText.isPlain(key.id) { return row }
    return try Row.fetchOne(select, arguments: [key.name, CanonicalText.decomposed(key.id)])
  }
}
