import Foundation
import GRDB
import GRDBSQLite

/// A value is larger than SQLite's limit; GRDB would end the process for it.
struct TooLarge: Error, CustomStringConvertible {
  let count: Int
  let limit: Int

  var description: String {
    "one value of \(count) bytes is to be kept, and SQLite takes \(limit) at most: make it "
      + "smaller, or several"
  }

  /// Checks the size of a value.
  ///
  /// - Throws: ``TooLarge`` if it cannot be bound to a statement.
  static func check(_ value: Data, _ db: Database) throws {
    let limit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, -1))
    if value.count > limit { throw TooLarge(count: value.count, limit: limit) }
  }
}
