import GRDB
import GRDBSQLite
import ReactorRuntime
import TestLimits
import Testing

@testable import ReactorJournal

/// A release whose task is cancelled.
@Suite(.bounded) struct CancelledReleaseTests {
  @Test func `a cancelled release keeps the time that a connection waits for another`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let key = JournalKey(name: "cart", id: "1")
    let claim = try await store.take(key)
    let statements = StatementWatcher()
    try await store.queue.write { db in statements.watch(db) }
    let release = Task {
      await statements.begun.wait()
      await store.release(key, epoch: claim.epoch)
    }
    statements.whenPragmaIsPrepared { release.cancel() }
    statements.begun.open()
    await release.value
    let time = try await store.queue.read { db in
      statements.unwatch(db)
      return try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
    }
    #expect(time == 10_000)
  }
}

/// Calls a closure when SQLite prepares a PRAGMA.
///
/// Holds: `action`, guarded by its own lock; it is called outside it.
private final class StatementWatcher: Sendable {
  let begun = Latch()
  private let action = Guarded<@Sendable () -> Void>({})

  func whenPragmaIsPrepared(_ body: @escaping @Sendable () -> Void) {
    action.withLock { $0 = body }
  }

  /// Begins to watch; the watcher has to outlive that.
  func watch(_ db: Database) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      db.sqliteConnection,
      { this, code, _, _, _, _ in
        if code == SQLITE_PRAGMA, let this {
          let watcher = Unmanaged<StatementWatcher>.fromOpaque(this).takeUnretainedValue()
          watcher.action.withLock { $0 }()
        }
        return SQLITE_OK
      }, this)
  }

  func unwatch(_ db: Database) { sqlite3_set_authorizer(db.sqliteConnection, nil, nil) }
}
