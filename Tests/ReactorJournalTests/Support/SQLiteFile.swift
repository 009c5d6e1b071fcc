import GRDB

/// A journal's file, for tests that bypass the store.
struct SQLiteFile {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    // A store that goes takes the whole file for a moment.
    configuration.busyMode = .timeout(10)
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Brings everything into the one file.
  func checkpoint() async throws {
    try await queue.writeWithoutTransaction { db in
      _ = try db.checkpoint(.truncate)
    }
  }

  /// All that is in a table, value by value.
  func rows(_ sql: String) async throws -> [[DatabaseValue]] {
    try await queue.read { db in
      try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) }
    }
  }

  func execute(_ sql: String) async throws {
    try await queue.write { try $0.execute(sql: sql) }
  }
}
