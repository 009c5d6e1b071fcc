import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// A snapshot that is asked for: it is there, and what it covers has gone, when the call returns.
@Suite(.bounded) struct MakeSnapshotTests {
  private let store = ScriptedStore()
  private let key = JournalKey(name: "cart", id: "1")

  private func cart(
    after limit: Duration? = nil, deletes: Bool = false
  ) async throws -> (Journal, CartReactor) {
    let journal = try await Journal(
      .store(store),
      options: JournalOptions(snapshotAfter: limit, deletesBeforeSnapshot: deletes))
    return (journal, try await journal.open("1") { CartReactor() })
  }

  @Test func `a snapshot has all that was done before, and the next opening begins with it`()
    async throws
  {
    let (journal, cart) = try await cart()
    await cart.send(.addAll([1, 2, 3])).settled
    #expect(try await cart.makeSnapshot() == 3)
    #expect(store.snapshots.entries == [.saved(3)])
    await cart.send(.add(4)).settled
    await cart.stop().settled
    let before = store.reads.count
    let again = try await journal.open("1") { CartReactor() }
    #expect(store.reads.entries.dropFirst(before) == [3])
    #expect(await again.currentState.items == [1, 2, 3, 4])
    await again.stop().settled
  }

  @Test func `entries before a snapshot have been deleted when it returns`() async throws {
    let (_, cart) = try await cart(deletes: true)
    await cart.send(.addAll([1, 2, 3])).settled
    try await cart.makeSnapshot()
    #expect(
      store.snapshots.entries == [.saved(3), .read(3), .entriesDeleted(3), .snapshotsDeleted(2)])
    #expect(await store.inner.extent(of: key) == JournalExtent(deleted: 3, last: 3))
    await cart.stop().settled
  }

  @Test func `a transient value is not in a snapshot`() async throws {
    let (journal, cart) = try await cart()
    await cart.send(.add(1)).settled
    await cart.send(.setLoading(true)).settled
    try await cart.makeSnapshot()
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState == CartReactor.State(items: [1]))
    await again.stop().settled
  }

  @Test func `a snapshot that is being made is waited for`() async throws {
    let saving = Gate()
    await store.stallSaving(at: saving)
    let (_, cart) = try await cart(after: .zero)
    await cart.send(.add(1)).settled
    await saving.reached()
    await cart.send(.add(2)).settled
    let making = Task.immediate { try await cart.makeSnapshot() }
    #expect(store.snapshots.entries == [])
    saving.open()
    #expect(try await making.value == 2)
    // Made of what is kept, it begins with the one before.
    #expect(store.snapshots.entries == [.saved(1), .read(1), .saved(2)])
    await cart.stop().settled
  }

  @Test func `a snapshot that is cancelled while another is being made is not made`() async throws {
    let saving = Gate()
    await store.stallSaving(at: saving)
    let (_, cart) = try await cart(after: .zero)
    await cart.send(.add(1)).settled
    await saving.reached()
    let making = Task { try await cart.makeSnapshot() }
    making.cancel()
    await #expect(throws: CancellationError.self) { try await making.value }
    saving.open()
    await cart.stop().settled
    #expect(await store.snapshots.entries(upTo: 1) == [.saved(1)])
  }

  @Test func `a snapshot that cannot be made throws, and deletes nothing`() async throws {
    await store.refuseSnapshots()
    let (_, cart) = try await cart()
    await cart.send(.add(1)).settled
    await #expect(throws: ScriptedStore.Fault.self) { try await cart.makeSnapshot() }
    await cart.send(.add(2)).settled
    #expect(await cart.currentState.items == [1, 2])
    await cart.stop().settled
  }

  @Test func `an empty journal has no snapshot`() async throws {
    let (_, cart) = try await cart()
    #expect(try await cart.makeSnapshot() == 0)
    #expect(store.snapshots.entries == [])
    await cart.stop().settled
  }

  @Test func `a reactor that has ended, or was never opened, has no snapshot`() async throws {
    let (_, cart) = try await cart()
    await cart.send(.add(1)).settled
    await cart.stop().settled
    await #expect(throws: JournalError.self) { try await cart.makeSnapshot() }
    #expect(try await CartReactor().makeSnapshot() == nil)
    #expect(store.snapshots.entries == [])
  }
}
