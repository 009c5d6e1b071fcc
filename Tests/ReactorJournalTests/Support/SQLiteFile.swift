import GRDB

/// A journal's file, for whoever goes behind the store's back.
struct SQLiteFile {
  private let queue: DatabaseQueue

  init(_ path: String) throws { queue = try DatabaseQueue(path: path) }

  func execute(_ sql: String) async throws {
    try await queue.write { try $0.execute(sql: sql) }
  }
}
