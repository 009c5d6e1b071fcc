import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// The store whose writing a test has fail, lose its answer, or wait.
@Suite(.bounded) struct FailingStoreTests {
  private struct DiskFull: Error {}

  @Test func `entries that the closure does not write are not stored, and the reactor ends`()
    async throws
  {
    let appends = Log<Int>()
    let store = FailingStore { entries, _, write in
      appends.append(entries.count)
      if appends.count > 1 { throw DiskFull() }
      try await write()
    }
    let reports = Log<String>()
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    #expect(await !cart.outcome(of: .add(2)).isFinished)
    #expect(await cart.currentState.items == [1])
    #expect(try await journal.history("1", of: CartReactor.self).last == 1)
    await cart.stop().settled
  }

  @Test func `an answer that is lost after the writing loses nothing`() async throws {
    let isLost = Guarded(true)
    let store = FailingStore { _, _, write in
      try await write()
      if isLost.withLock({ $0 }) { throw DiskFull() }
    }
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor() }
    #expect(await cart.outcome(of: .add(1)) == .finished)
    #expect(try await journal.history("1", of: CartReactor.self).last == 1)
    isLost.withLock { $0 = false }
    await cart.stop().settled
  }

  @Test func `while the writing of one reactor waits, that of another goes on`() async throws {
    let gate = Gate()
    let store = FailingStore { _, key, write in
      if key.id == "slow" { await gate.pass() }
      try await write()
    }
    let journal = try await Journal(.store(store))
    let slow = try await journal.open("slow") { CartReactor() }
    let quick = try await journal.open("quick") { CartReactor() }
    let receipt = slow.send(.add(1))
    await gate.reached()
    await quick.send(.add(2)).settled
    gate.open()
    await receipt.settled
    for cart in [slow, quick] { await cart.stop().settled }
  }

  @Test(arguments: StoreKind.allCases)
  func `everything but writing entries is passed to the other store`(_ kind: StoreKind) async throws
  {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    switch fixture.store {
    case let store as MemoryStore:
      try await checkForwarding(in: FailingStore(store) { try await $2() })
    case let store as SQLiteStore:
      try await checkForwarding(in: FailingStore(store) { try await $2() })
    default: Issue.record("no store of these kinds")
    }
  }

  private func checkForwarding(in store: some JournalStore) async throws {
    let journal = try await Journal(
      .store(store), options: JournalOptions(snapshotAfter: nil, deletesBeforeSnapshot: true))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.addAll([1, 2, 3])).settled
    #expect(try await cart.makeSnapshot() == 3)
    await cart.stop().settled
    try await journal.setAside("1", of: CartReactor.self, as: "2")
    var ids: [String] = []
    for try await id in journal.ids(of: CartReactor.self) { ids.append(id) }
    #expect(ids == ["2"])
    let again = try await journal.open("2") { CartReactor() }
    #expect(await again.currentState.items == [1, 2, 3])
    #expect(try await again.history?.extent == JournalExtent(deleted: 3, last: 3))
    await again.stop().settled
  }
}
