import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// Entries that are deleted before or while they are read.
@Suite(.bounded) struct ConcurrentDeletionTests {
  /// What is read of five changes of a cart, of which four are deleted at the first read.
  private func read<Value>(
    _ body: (JournalHistory<CartReactor>) async throws -> Value
  ) async throws -> Value {
    let store = DeletingStore()
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...5 { await cart.send(.add(item)).settled }
    let history = try #require(cart.history)
    let state = try JSONJournalCodec().encode(CartReactor.State(items: [1, 2, 3, 4]))
    await store.deleteAtNextRead(of: JournalKey(name: "cart", id: "1"), through: 4, state)
    let value = try await body(history)
    await cart.stop().settled
    return value
  }

  @Test func `a state is restored though entries before it are deleted meanwhile`()
    async throws
  {
    let found = try await read { try await $0.state(at: 5).items }
    #expect(found == [1, 2, 3, 4, 5])
  }

  @Test func `the last change by a time is found though entries are deleted meanwhile`()
    async throws
  {
    let found = try await read { try await $0.last(asOf: .distantFuture) }
    #expect(found == 5)
  }

  @Test func `the state at a time is found though entries are deleted meanwhile`()
    async throws
  {
    let found = try await read { try await $0.state(asOf: .distantFuture).items }
    #expect(found == [1, 2, 3, 4, 5])
  }

  @Test func `an undo finds its change though entries are deleted meanwhile`() async throws {
    let store = DeletingStore()
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let notes = try await journal.open("1") { NotesReactor() }
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    let state = try JSONJournalCodec().encode(NotesReactor.State(notes: ["a", "b"]))
    await store.deleteAtNextRead(of: JournalKey(name: "notes", id: "1"), through: 2, state)
    #expect(try await notes.undo())
    #expect(await notes.currentState.notes == ["a", "b"])
    await notes.stop().settled
  }

  @Test func `redo reports that its entry has been deleted, and not that there is none`()
    async throws
  {
    let store = DeletingStore()
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let first = try await journal.open("1") { NotesReactor() }
    for text in ["a", "b"] { await first.send(.add(text)).settled }
    #expect(try await first.undo())
    await first.send(.visit).settled
    await first.stop().settled
    let state = try JSONJournalCodec().encode(NotesReactor.State(notes: ["a"], visits: 1))
    await store.deleteAtNextRead(of: JournalKey(name: "notes", id: "1"), through: 4, state)
    _ = try await store.entries(of: JournalKey(name: "notes", id: "1"), after: 0, limit: 1)
    let again = try await journal.open("1") { NotesReactor() }
    await #expect {
      _ = try await again.redo()
    } throws: { error in
      if case JournalError.deleted = error { true } else { false }
    }
    // A new change clears what could be redone, so then there is nothing.
    await again.send(.add("c")).settled
    #expect(try await !again.redo())
    await again.stop().settled
  }
}

/// A store in memory that deletes what a snapshot covers when entries are read the next time, as
/// another task may do in between.
private actor DeletingStore: ForwardingStore {
  let inner = MemoryStore()
  private var deletion: (@Sendable (MemoryStore) async throws -> Void)?
  private var epoch = 0

  func deleteAtNextRead(of key: JournalKey, through sequence: Int, _ state: Data) {
    deletion = { [epoch] store in
      let snapshot = JournalSnapshot(sequence: sequence, version: 1, payload: state)
      try await store.save(snapshot, of: key, epoch: epoch)
      try await store.deleteEntries(of: key, through: sequence, epoch: epoch)
    }
  }

  func take(_ key: JournalKey) async throws -> JournalClaim {
    let claim = try await inner.take(key)
    epoch = claim.epoch
    return claim
  }

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    if let deletion {
      self.deletion = nil
      try await deletion(inner)
    }
    return await inner.entries(of: key, after: sequence, limit: limit)
  }
}
