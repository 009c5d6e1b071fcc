import Foundation
import GRDB

/// The tasks in the database, as one transaction sees them.
///
/// Whoever has one is on the database's own queue; it cannot leave it, since it is not `Sendable`.
struct TaskStore {
  let db: Database

  /// How often the database has been changed.
  var revision: Int64 {
    get throws { try Stored.counts.number(number("SELECT revision FROM state")) }
  }

  /// Every section, in order.
  func sections() throws -> [TaskSection] {
    try TaskSection.fetchAll(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections ORDER BY position"))
  }

  func section(_ id: TaskSection.ID) throws -> TaskSection? {
    try TaskSection.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections WHERE id = ?"),
      arguments: [id])
  }

  func section(named name: String) throws -> TaskSection? {
    try TaskSection.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskSection.columns) FROM sections WHERE nameKey = ?"),
      arguments: [TaskText.key(name)])
  }

  func task(_ id: TaskItem.ID) throws -> TaskItem? {
    try TaskItem.fetchOne(
      db.cachedStatement(sql: "SELECT \(TaskItem.columns) FROM tasks WHERE id = ?"),
      arguments: [id])
  }

  // MARK: Statements

  /// Runs a statement, prepared once for all.
  ///
  /// What a person has typed is always an argument, never a part of it: so there are only as many
  /// statements as are written in the code.
  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The number that a statement gives; 0 if it gives none.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0
  }
}
