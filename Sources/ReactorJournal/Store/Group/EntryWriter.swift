import Foundation
import GRDB
import GRDBSQLite

/// Writes batches of entries by SQLite's own functions, within a transaction of the caller.
///
/// GRDB would allocate an array of boxed arguments for each row, and take locks for each statement,
/// which takes longer than inserting the row.
struct EntryWriter {
  private let db: Database
  private let insert: Statement
  private let advance: Statement
  private let lengthLimit: Int

  init(_ db: Database) throws {
    self.db = db
    insert = try db.cachedStatement(sql: SQLiteSchema.insert)
    advance = try db.cachedStatement(sql: SQLiteSchema.advance)
    lengthLimit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, -1))
  }

  /// Writes a batch, or refuses it and changes nothing.
  ///
  /// - Returns: Why the batch is refused; `nil` if it is written.
  /// - Throws: An error of SQLite. A part of the batch may have been written, so the caller has to
  ///   roll back.
  func write(_ rows: EntryRows) throws -> (any Error)? {
    if rows.largest > lengthLimit { return TooLarge(count: rows.largest, limit: lengthLimit) }
    let owner: Int64
    if let known = rows.owner, try advance(known, rows) {
      owner = known
    } else {
      // The same once more, by the key, to find the reason.
      switch try found(rows) {
      case .success(let number): owner = number
      case .failure(let refusal): return refusal
      }
      guard try advance(owner, rows) else {
        return JournalError.fenced(rows.key, epoch: rows.epoch)
      }
    }
    for (entry, checksum) in zip(rows.entries, rows.checksums) {
      try insert(entry, checksum, owner, rows.epoch)
    }
    return nil
  }

  /// Sets the last entry of a journal, if it has the epoch and the last entry that the batch
  /// expects.
  private func advance(_ owner: Int64, _ rows: EntryRows) throws -> Bool {
    guard let first = rows.entries.first else { return true }
    bind(first.sequence + rows.entries.count - 1, at: 1, of: advance)
    bind(owner, at: 2, of: advance)
    bind(rows.epoch, at: 3, of: advance)
    bind(first.sequence - 1, at: 4, of: advance)
    try step(advance)
    return sqlite3_changes(db.sqliteConnection) == 1
  }

  private func found(_ rows: EntryRows) throws -> Result<Int64, JournalError> {
    do {
      let owner = try SQLiteStore.owned(rows.key, rows.epoch, db)
      guard let first = rows.entries.first, first.sequence != owner.extent.last + 1 else {
        return .success(owner.number)
      }
      return .failure(
        .outOfOrder(rows.key, expected: first.sequence - 1, last: owner.extent.last))
    } catch let error as JournalError {
      return .failure(error)
    }
  }

  private func insert(
    _ entry: JournalEntry, _ checksum: UInt64, _ owner: Int64, _ epoch: Int
  ) throws {
    let (kind, target) = entry.kind.columns
    bind(owner, at: 1, of: insert)
    bind(entry.sequence, at: 2, of: insert)
    bind(epoch, at: 3, of: insert)
    bind(entry.version, at: 4, of: insert)
    bind(entry.payload, at: 5, of: insert)
    bind(entry.cause, at: 6, of: insert)
    bind(entry.time.timeIntervalSinceReferenceDate, at: 7, of: insert)
    bind(kind, at: 8, of: insert)
    bind(target, at: 9, of: insert)
    bind(entry.stateHash.map { Int64(bitPattern: $0) }, at: 10, of: insert)
    bind(Int64(bitPattern: checksum), at: 11, of: insert)
    try step(insert)
  }

  private func bind<Value: StatementBinding>(
    _ value: Value?, at column: CInt, of statement: Statement
  ) {
    let code =
      value?.bind(to: statement.sqliteStatement, at: column)
      ?? sqlite3_bind_null(statement.sqliteStatement, column)
    precondition(code == SQLITE_OK, "column \(column) of an entry could not be bound")
  }

  private func step(_ statement: Statement) throws {
    let code = sqlite3_step(statement.sqliteStatement)
    // A statement that has been executed accepts no arguments until it is reset.
    sqlite3_reset(statement.sqliteStatement)
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
  }
}
