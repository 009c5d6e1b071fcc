import Foundation
import GRDB
import GRDBSQLite

/// Inserts entries by SQLite's own functions.
///
/// GRDB would allocate an array of boxed arguments for each row, which takes longer than inserting
/// the row.
struct EntryInsert {
  private let statement: Statement
  private let owner: Int64
  private let epoch: Int

  init(_ db: Database, of owner: Int64, _ epoch: Int) throws {
    statement = try db.cachedStatement(sql: SQLiteSchema.insert)
    (self.owner, self.epoch) = (owner, epoch)
    // GRDB now considers all arguments as set. The real ones are bound in `execute(_:)`.
    statement.setUncheckedArguments(StatementArguments(Array(repeating: 0, count: 11)))
  }

  func execute(_ entry: JournalEntry) throws {
    let (kind, target) = entry.kind.columns
    // A statement that has been executed accepts no arguments until it is reset.
    sqlite3_reset(statement.sqliteStatement)
    bind(owner, at: 1)
    bind(entry.sequence, at: 2)
    bind(epoch, at: 3)
    bind(entry.version, at: 4)
    bind(entry.payload, at: 5)
    bind(entry.cause, at: 6)
    bind(entry.time.timeIntervalSinceReferenceDate, at: 7)
    bind(kind, at: 8)
    bind(target, at: 9)
    bind(entry.stateHash.map { Int64(bitPattern: $0) }, at: 10)
    bind(Int64(bitPattern: entry.checksum), at: 11)
    try statement.execute()
  }

  private func bind<Value: StatementBinding>(_ value: Value?, at column: CInt) {
    let code =
      value?.bind(to: statement.sqliteStatement, at: column)
      ?? sqlite3_bind_null(statement.sqliteStatement, column)
    precondition(code == SQLITE_OK, "column \(column) of an entry could not be bound")
  }
}
