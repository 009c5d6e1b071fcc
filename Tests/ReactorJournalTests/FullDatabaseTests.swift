import Foundation
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// A database that may not grow: what SQLite answers on a full disk.
@Suite(.bounded) struct FullDatabaseTests {
  @Test func `on a full disk, acknowledged entries remain, and nothing else is shown`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let reports = Log<String>()
    let cart = try await journal.open("1") { CartReactor(reports) }
    let seen = Task { [state = cart.state] in await state.reduce(0) { max($0, $1.items.count) } }
    try await store.leave(pages: 3)
    var (acknowledged, failure) = (0, nil as (any Error)?)
    while failure == nil {
      switch await cart.outcome(of: .add(acknowledged + 1)) {
      case .finished: acknowledged += 1
      case .failed(let error): failure = error
      case let other: return #expect(Bool(false), "\(other)")
      }
    }
    #expect(acknowledged > 0)
    #expect(
      failure.map { "\($0)" } == "the store of cart '1' failed: the disk of "
        + "'\(fixture.path)' is full; what was acknowledged is stored: free space, "
        + "and open it again")
    #expect(reports.entries.contains { $0.contains("the disk of '\(fixture.path)' is full") })
    #expect(await seen.value == acknowledged)
    await cart.stop().settled
    try await store.leave(pages: 1 << 20)
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == Array(1..<(acknowledged + 1)))
    await again.send(.add(0)).settled
    #expect(try await again.history?.last == acknowledged + 1)
  }

  @Test func `a snapshot on a full disk is reported, and deletes nothing`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let claim = try await store.take(JournalKey(name: "cart", id: "1"))
    try await store.leave(pages: 0)
    let large = JournalSnapshot(sequence: 1, version: 1, payload: Data(count: 100_000))
    let error = await #expect(throws: DiskFullError.self) {
      try await store.save(large, of: JournalKey(name: "cart", id: "1"), epoch: claim.epoch)
    }
    #expect(error?.path == fixture.path)
    #expect(try await store.snapshot(of: JournalKey(name: "cart", id: "1"), through: 9) == nil)
  }
}
