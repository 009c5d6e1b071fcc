import GRDB
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// What is asked of SQLite before anything is acknowledged.
@Suite(.bounded) struct DurableFileTests {
  @Test func `a store's file uses write-ahead logging, and is flushed at each commit`() async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let (mode, level) = try await store.queue.read { db in
      (
        try String.fetchOne(db, sql: "PRAGMA journal_mode"),
        try Int.fetchOne(db, sql: "PRAGMA synchronous")
      )
    }
    #expect(mode == "wal")
    #expect(level == 2)
  }

  @Test func `a file that cannot use write-ahead logging is refused`() async throws {
    let error = await #expect(throws: JournalError.self) { try await SQLiteStore(path: ":memory:") }
    let reason = "SQLite would not write durably (journal_mode memory"
    #expect(error?.description.contains(reason) == true)
  }
}
