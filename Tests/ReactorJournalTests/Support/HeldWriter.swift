import Dispatch
import Foundation
import GRDB

@testable import ReactorJournal

/// Blocks the writer of a store until it is released, as a disk that does not answer.
final class HeldWriter: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let store: SQLiteStore

  init(_ store: SQLiteStore) {
    self.store = store
    store.queue.asyncWriteWithoutTransaction { [semaphore] _ in semaphore.wait() }
  }

  func release() { semaphore.signal() }

  /// Waits until this many writes wait for the writer.
  func reached(_ count: Int) async {
    while store.committer.waitingCount < count { await Task.yield() }
  }
}

extension SQLiteStore {
  /// Limits how many pages the file may grow; by no more than SQLite can count.
  func leave(pages: Int) async throws {
    try await queue.writeWithoutTransaction { db in
      let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(min(count + pages, 1 << 30))")
    }
  }
}

extension JournalEntry {
  /// Entries of a size, numbered from one on.
  static func some(_ range: ClosedRange<Int>, bytes: Int = 10) -> [JournalEntry] {
    range.map {
      JournalEntry(
        sequence: $0, version: 1, payload: Data(count: bytes),
        time: Date(timeIntervalSinceReferenceDate: 0))
    }
  }
}
