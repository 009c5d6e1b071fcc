import Foundation
import GRDB
import GRDBSQLite
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// Values of more bytes than SQLite takes: it takes few here.
@Suite(.bounded) struct TooLargeTests {
  private let key = JournalKey(name: "cart", id: "1")
  private let limit = 5_000

  private func store(at path: String) async throws -> SQLiteStore {
    let (store, limit) = (try await SQLiteStore(path: path), CInt(limit))
    try await store.queue.writeWithoutTransaction { db in
      _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, limit)
    }
    return store
  }

  @Test func `an entry that is too large is refused, with all of its batch`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await store(at: fixture.path)
    let claim = try await store.take(key)
    let entries = [10, limit + 1].enumerated().map { index, size in
      JournalEntry(
        sequence: index + 1, version: 1, payload: Data(count: size),
        time: Date(timeIntervalSinceReferenceDate: 0))
    }
    let error = await #expect(throws: (any Error).self) {
      try await store.append(entries, to: key, epoch: claim.epoch)
    }
    #expect(
      error.map { "\($0)" } == "one value of 5001 bytes is to be kept, and SQLite takes 5000 at "
        + "most: make it smaller, or several")
    #expect(try await store.extent(of: key).last == 0)
    try await store.append([entries[0]], to: key, epoch: claim.epoch)
  }

  @Test func `a snapshot that is too large is refused, and deletes nothing`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await store(at: fixture.path)
    let claim = try await store.take(key)
    let large = JournalSnapshot(sequence: 1, version: 1, payload: Data(count: limit + 1))
    await #expect(throws: (any Error).self) {
      try await store.save(large, of: key, epoch: claim.epoch)
    }
    #expect(try await store.snapshot(of: key, through: 9) == nil)
  }

  @Test func `a mutation that is too large ends its reactor with a report`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await store(at: fixture.path)
    let journal = try await Journal(.store(store), codec: LargeCodec(size: limit + 1))
    let reports = Log<String>()
    let cart = try await journal.open("1") { CartReactor(reports) }
    guard case .failed = await cart.outcome(of: .add(1)) else {
      return #expect(Bool(false), "it was kept")
    }
    #expect(reports.entries.contains { $0.contains("SQLite takes 5000 at most") })
  }
}

private struct LargeCodec: JournalCodec {
  let size: Int

  func encode<Value: Encodable>(_ value: Value) throws -> Data { Data(count: size) }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}
