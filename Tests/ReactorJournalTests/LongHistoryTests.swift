import Foundation
import JournalFixture
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// How long a history may be.
@Suite(.bounded) struct LongHistoryTests {
  /// Writes a journal of so many entries.
  private func fill(_ path: String, _ count: Int) async throws {
    let store = try await SQLiteStore(path: path)
    let key = JournalKey(name: SumReactor.journalName, id: "1")
    let claim = try await store.take(key)
    // Of a hundred bytes each, so that all of them at once would be seen.
    let payload = Data((String(repeating: " ", count: 100) + "1").utf8)
    for start in stride(from: 1, through: count, by: 10_000) {
      let entries = (start..<start + 10_000).map {
        JournalEntry(sequence: $0, version: 1, payload: payload, time: Date())
      }
      try await store.append(entries, to: key, epoch: claim.epoch)
    }
    await store.release(key, epoch: claim.epoch)
  }

  @Test func `a long history is read page by page`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    try await fill(fixture.path, 20_000)
    let pages = PagingStore(try await SQLiteStore(path: fixture.path))
    let journal = try await Journal(
      .store(pages), options: JournalOptions(snapshotAfter: nil))
    let sum = try await journal.open("1") { SumReactor() }
    #expect(await sum.currentState == 20_000)
    #expect(await pages.largest == 1_000)
    await sum.stop().settled
  }

  /// How much memory a process of its own has had at most that opens a journal, in kilobytes.
  private func peak(ofOpening count: Int) async throws -> Int {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    try await fill(fixture.path, count)
    let session = try PipedSession("JournalFixture", arguments: [fixture.path, "sum"])
    #expect(try await session.nextLine() == "sum \(count)")
    let words = try #require(await session.nextLine()).split(separator: " ")
    _ = await session.waitForExit()
    return try #require(words.last.flatMap { Int($0) })
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func `a history many times as long is opened in no more memory`() async throws {
    let (some, most) = (
      try await peak(ofOpening: 10_000), try await peak(ofOpening: TestCounts.entries)
    )
    // All of them at once would be more than 200 bytes each.
    #expect(most - some < 8_000, "\(some) kB for 10,000, \(most) kB for \(TestCounts.entries)")
  }
}

/// Remembers how many entries were asked for at most.
actor PagingStore: ForwardingStore {
  let inner: SQLiteStore
  private(set) var largest = 0

  init(_ inner: SQLiteStore) { self.inner = inner }

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    let page = try await inner.entries(of: key, after: sequence, limit: limit)
    largest = max(largest, page.count)
    return page
  }
}
