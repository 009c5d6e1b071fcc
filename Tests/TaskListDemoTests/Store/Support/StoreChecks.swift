import GRDB
import Testing

@testable import TaskListDemo
@testable import TaskStore

extension SQLiteTaskService {
  /// The tasks as plain arrays.
  func list() async throws -> ModelList {
    try await database.read { store in
      var list = ModelList()
      for section in try store.sections() {
        let tasks = try TaskItem.fetchAll(
          store.db,
          sql: "SELECT \(TaskItem.columns) FROM tasks WHERE sectionID = ? ORDER BY position",
          arguments: [section.id])
        list.sections.append(
          ModelList.Section(
            name: section.name,
            tasks: tasks.map {
              ModelList.Item(id: $0.id, title: $0.title, memo: $0.memo, isDone: $0.isDone)
            }))
      }
      return list
    }
  }

  /// What must hold of every database, whatever was done to it: positions have no gaps, the counts
  /// are right, the index of words agrees with the tasks, and SQLite finds nothing wrong.
  func expectOrder(_ location: SourceLocation = #_sourceLocation) async throws {
    let wrong = try await database.work { store in try Self.whatIsWrong(in: store.db) }
    #expect(wrong == [], sourceLocation: location)
  }

  private static func whatIsWrong(in db: Database) throws -> [String] {
    var wrong: [String] = []
    let positions = try Row.fetchAll(
      db,
      sql: """
        SELECT sectionID, position FROM
          (SELECT *, row_number() OVER (PARTITION BY sectionID ORDER BY position) - 1 AS place
             FROM tasks)
          WHERE place <> position
        """)
    wrong += positions.map { "position: \($0)" }
    let counts = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM (SELECT name, openCount, doneCount,
            (SELECT count(*) FROM tasks WHERE sectionID = sections.id AND completedAt IS NULL) o,
            (SELECT count(*) FROM tasks WHERE sectionID = sections.id AND completedAt NOT NULL) d
          FROM sections) WHERE openCount <> o OR doneCount <> d
        """)
    wrong += counts.map { "count: \($0)" }
    let sections = try Int.fetchAll(db, sql: "SELECT position FROM sections ORDER BY position")
    if sections != Array(sections.indices) { wrong.append("sections: \(sections)") }
    wrong += try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    wrong += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { "key: \($0)" }
    // Throws when the index and the table differ.
    try db.execute(sql: "INSERT INTO taskWords (taskWords, rank) VALUES ('integrity-check', 1)")
    return wrong
  }
}
