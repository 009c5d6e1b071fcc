import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Snapshots: made when replaying takes long, off the reactor; what they cover stays, unless the
/// author says otherwise and it is safe.
@Suite(.bounded) struct SnapshotTests {
  private let store = ScriptedStore()
  private let key = JournalKey(name: "cart", id: "1")

  /// A journal with so many entries, and no snapshot.
  private func fill(_ count: Int) async throws {
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.addAll(Array(1...count))).settled
    await cart.stop().settled
  }

  // MARK: When

  @Test func `a snapshot is made when replaying has taken long, and is used`() async throws {
    try await fill(100)
    let clock = ManualClock()
    let journal = try await Journal(
      .store(store), options: JournalOptions(snapshotAfter: .seconds(1), clock: clock))
    await store.whenReading { clock.advance(to: 2) }
    let cart = try await journal.open("1") { CartReactor() }
    #expect(await store.snapshots.entries(upTo: 1) == [.saved(100)])
    await cart.send(.add(101)).settled
    await cart.stop().settled
    let before = store.reads.count
    let again = try await journal.open("1") { CartReactor() }
    #expect(store.reads.entries.dropFirst(before) == [100])
    #expect(await again.currentState.items == Array(1...101))
  }

  @Test func `it is due by the time that entries take to replay, to the second`() async throws {
    try await simulate { simulation in
      let (store, clock) = (ScriptedStore(), ManualClock())
      let codec = SlowCodec(clock, mutation: 1)
      let journal = try await Journal(
        .store(store), codec: codec,
        options: JournalOptions(snapshotAfter: .steps(200), clock: clock))
      let cart = try await journal.open("1") { CartReactor() }
      for item in 1...200 { await cart.send(.add(item)).settled }
      await simulation.settle()
      // The first hundred were replayed to see, once.
      #expect(clock.now.step == 100)
      #expect(store.snapshots.entries == [])
      await cart.send(.add(201)).settled
      await simulation.settle()
      #expect(store.snapshots.entries == [.saved(201)])
      #expect(clock.now.step == 100)
    }
  }

  @Test func `entries replayed at an opening count, and later ones are estimated`()
    async throws
  {
    try await simulate { simulation in
      let (store, clock) = (ScriptedStore(), ManualClock())
      let codec = SlowCodec(clock, mutation: 1)
      let journal = try await Journal(
        .store(store), codec: codec,
        options: JournalOptions(snapshotAfter: .steps(200), clock: clock))
      let first = try await journal.open("1") { CartReactor() }
      await first.send(.addAll(Array(1...150))).settled
      await first.stop().settled
      let cart = try await journal.open("1") { CartReactor() }
      for item in 151...200 { await cart.send(.add(item)).settled }
      await simulation.settle()
      #expect(store.snapshots.entries == [])
      await cart.send(.add(201)).settled
      await simulation.settle()
      #expect(store.snapshots.entries == [.saved(201)])
    }
  }

  @Test func `the time to decode a snapshot does not count`() async throws {
    try await simulate { simulation in
      let (store, clock) = (ScriptedStore(), ManualClock())
      let journal = try await Journal(
        .store(store), codec: SlowCodec(clock, state: 10),
        options: JournalOptions(snapshotAfter: .steps(1), clock: clock))
      let first = try await journal.open("1") { CartReactor() }
      await first.send(.addAll(Array(1...150))).settled
      await first.stop().settled
      try await store.inner.saveSnapshot(at: 1, of: key)
      let cart = try await journal.open("1") { CartReactor() }
      #expect(clock.now.step == 10)
      await cart.send(.addAll(Array(151...1_000))).settled
      await simulation.settle()
      #expect(!store.snapshots.entries.contains { if case .saved = $0 { true } else { false } })
    }
  }

  @Test func `while one is being stored, the reactor continues`() async throws {
    let saving = Gate()
    await store.stallSaving(at: saving)
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: .zero))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.add(1)).settled
    await saving.reached()
    await cart.send(.add(2)).settled
    #expect(await cart.currentState.items == [1, 2])
    #expect(store.snapshots.count == 0)
    saving.open()
    #expect(await store.snapshots.entries(upTo: 1).first == .saved(1))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func `while one is being encoded, the reactor goes on`() async throws {
    let codec = BlockingCodec()
    let journal = try await Journal(
      .store(store), codec: codec, options: JournalOptions(snapshotAfter: .zero))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.add(1)).settled
    #expect(await codec.held.entries(upTo: 1) == [1])
    // A thread is in the encoding now. Were it the reactor's, this would not be taken.
    await cart.send(.add(2)).settled
    #expect(await cart.currentState.items == [1, 2])
    #expect(store.snapshots.count == 0)
    codec.goOn()
    #expect(await store.snapshots.entries(upTo: 1).first == .saved(1))
  }

  // MARK: What cannot be

  @Test func `a snapshot that cannot be made is reported, and deletes nothing`() async throws {
    let reports = Log<String>()
    let store = ScriptedStore()
    await store.refuseSnapshots()
    let journal = try await Journal(
      .store(store), options: JournalOptions(snapshotAfter: .zero))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    let report = await reports.entries(upTo: 1).first
    #expect(report?.contains("a snapshot could not be made: ") == true)
    await cart.send(.add(2)).settled
    #expect(await cart.currentState.items == [1, 2])
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor(Log()) }
    #expect(await again.currentState.items == [1, 2])
  }

  @Test func `a snapshot that cannot be read is skipped, and reported`() async throws {
    let store = MemoryStore()
    let key = JournalKey(name: "cart", id: "1")
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.addAll([1, 2])).settled
    await cart.stop().settled
    let claim = try await store.take(key)
    let broken = JournalSnapshot(sequence: 1, version: 1, payload: Data("?".utf8))
    try await store.save(broken, of: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    let reports = Log<String>()
    let again = try await journal.open("1") { CartReactor(reports) }
    #expect(await again.currentState.items == [1, 2])
    #expect(reports.entries.count { $0.contains("a snapshot was skipped") } == 1)
    await again.stop().settled
    // Where what it covers is gone, it stops the opening.
    let second = try await store.take(key)
    try await store.deleteEntries(of: key, through: 1, epoch: second.epoch)
    await store.release(key, epoch: second.epoch)
    await #expect(throws: JournalError.self) { try await journal.open("1") { CartReactor() } }
    #expect(await store.snapshot(of: key, through: .max) == broken)
  }

  /// Ten entries, a snapshot at 5, and one at 8 that cannot be read.
  private func corruptNewest() async throws -> Journal {
    try await fill(10)
    try await store.inner.saveSnapshot(at: 5, of: key)
    try await corruptSnapshot(8)
    return try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
  }

  /// Puts a snapshot there that cannot be read.
  private func corruptSnapshot(_ sequence: Int) async throws {
    let claim = try await store.take(key)
    let broken = JournalSnapshot(sequence: sequence, version: 1, payload: Data("?".utf8))
    try await store.inner.save(broken, of: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
  }

  private func deleteEntries(through sequence: Int) async throws {
    let claim = try await store.take(key)
    try await store.inner.deleteEntries(of: key, through: sequence, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
  }

  @Test(arguments: [0, 3, 5])
  func `where the newest snapshot cannot be read, an older one is used`(
    _ deleted: Int
  ) async throws {
    let journal = try await corruptNewest()
    try await deleteEntries(through: deleted)
    let (reports, before) = (Log<String>(), store.reads.count)
    let cart = try await journal.open("1") { CartReactor(reports) }
    #expect(await cart.currentState.items == Array(1...10))
    #expect(store.reads.entries.dropFirst(before) == [5])
    #expect(reports.count == 1)
    #expect(reports.entries.first?.contains("the snapshot of cart '1' at 8") == true)
    await cart.stop().settled
  }

  @Test func `where no snapshot can be read, each is reported, and entries are replayed`()
    async throws
  {
    let journal = try await corruptNewest()
    try await corruptSnapshot(5)
    let reports = Log<String>()
    let cart = try await journal.open("1") { CartReactor(reports) }
    #expect(await cart.currentState.items == Array(1...10))
    #expect(reports.count == 2)
    await cart.stop().settled
  }

  @Test func `a snapshot older than what was deleted is not used`() async throws {
    let journal = try await corruptNewest()
    try await deleteEntries(through: 6)
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { CartReactor(Log()) }
    }
    #expect(error?.description.contains("the snapshot of cart '1' at 8") == true)
  }

  // MARK: Of an earlier version

  /// A journal with a snapshot of the first version of the state, at the first of two entries; what
  /// it has is in no mutation.
  private func shelf() async throws -> (Journal, JournalSnapshot) {
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let shelf = try await journal.open("1") { ShelfVersion1() }
    for book in ["Emma", "Dune"] { await shelf.send(book).settled }
    await shelf.stop().settled
    let key = JournalKey(name: ShelfVersion1.journalName, id: "1")
    let claim = try await store.take(key)
    let snapshot = JournalSnapshot(
      sequence: 1, version: 1, payload: Data(#"{"books":["of the snapshot"]}"#.utf8))
    try await store.save(snapshot, of: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    return (journal, snapshot)
  }

  @Test func `a snapshot of an earlier version is upgraded, and used`() async throws {
    let (journal, snapshot) = try await shelf()
    let second = try await journal.open("1") { ShelfVersion2() }
    #expect(await second.currentState == .init(books: ["of the snapshot", "Dune"], count: 1))
    #expect(second.reports.entries == [])
    let key = JournalKey(name: ShelfVersion1.journalName, id: "1")
    #expect(await store.inner.snapshot(of: key, through: .max) == snapshot)
  }

  @Test func `a snapshot without a step is skipped, and reported`() async throws {
    let (journal, snapshot) = try await shelf()
    let second = try await journal.open("1") { ShelfWithoutUpgrade() }
    #expect(await second.currentState == .init(books: ["Emma", "Dune"], count: 2))
    #expect(second.reports.count == 1)
    let report = second.reports.entries.first
    #expect(report?.contains("a snapshot was skipped") == true)
    #expect(report?.contains("there is no upgrade from version 1") == true)
    let key = JournalKey(name: ShelfVersion1.journalName, id: "1")
    #expect(await store.inner.snapshot(of: key, through: .max) == snapshot)
  }

  // MARK: Deleting

  /// Adds three numbers at once, and has a snapshot made at the third.
  private func three(
    _ codec: any JournalCodec = JSONJournalCodec(), reports: Log<String>? = nil
  ) async throws -> (Journal, CartReactor) {
    let journal = try await Journal(
      .store(store), codec: codec,
      options: JournalOptions(snapshotAfter: .zero, deletesBeforeSnapshot: true))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.addAll([1, 2, 3])).settled
    return (journal, cart)
  }

  @Test func `entries before a snapshot are deleted once it has been read back`() async throws {
    let (journal, cart) = try await three()
    #expect(
      await store.snapshots.entries(upTo: 4)
        == [.saved(3), .read(3), .entriesDeleted(3), .snapshotsDeleted(2)])
    await cart.stop().settled
    #expect(await store.inner.extent(of: key) == JournalExtent(deleted: 3, last: 3))
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == [1, 2, 3])
    await #expect(throws: JournalError.self) { try await again.history?.state(at: 2) }
  }

  @Test func `where another one is read back, nothing is deleted, and that is reported`()
    async throws
  {
    await store.change {
      JournalSnapshot(sequence: $0.sequence, version: $0.version, payload: $0.payload + [32])
    }
    let reports = Log<String>()
    let (_, cart) = try await three(reports: reports)
    let report = await reports.entries(upTo: 1).first
    #expect(report?.contains("a snapshot could not be made: ") == true)
    #expect(await store.inner.extent(of: key) == JournalExtent(deleted: 0, last: 3))
    // Until here it lives: one that is gone reports nothing.
    await cart.stop().settled
  }

  @Test func `where it cannot be decoded, nothing is deleted, and that is reported`() async throws {
    let reports = Log<String>()
    let (journal, cart) = try await three(HalfCodec(), reports: reports)
    let report = await reports.entries(upTo: 1).first
    #expect(report?.contains("the snapshot of cart '1' at 3, of version 1, cannot be read") == true)
    #expect(await store.inner.extent(of: key) == JournalExtent(deleted: 0, last: 3))
    await cart.stop().settled
    // As all of it is there, nothing is lost.
    let again = try await journal.open("1") { CartReactor(Log()) }
    #expect(await again.currentState.items == [1, 2, 3])
  }
}

/// Takes so many steps of a clock to decode one.
private struct SlowCodec: JournalCodec {
  private let clock: ManualClock
  private let mutation: Int
  private let state: Int
  private let json = JSONJournalCodec()

  init(_ clock: ManualClock, mutation: Int = 0, state: Int = 0) {
    (self.clock, self.mutation, self.state) = (clock, mutation, state)
  }

  func encode<Value: Encodable>(_ value: Value) throws -> Data { try json.encode(value) }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let steps = type == CartReactor.State.self ? state : mutation
    clock.advance(to: clock.now.step + steps)
    return try json.decode(type, from: data)
  }
}

/// Encodes the first state only when its gate opens, and blocks its thread until then.
private final class BlockingCodec: JournalCodec {
  /// How many items there are in a state that is held up.
  let held = Log<Int>()
  private let json = JSONJournalCodec()
  private let opened = DispatchSemaphore(value: 0)

  func goOn() { opened.signal() }

  func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if let state = value as? CartReactor.State, held.count == 0 {
      held.append(state.items.count)
      opened.wait()
    }
    return try json.encode(value)
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try json.decode(type, from: data)
  }
}

/// Cannot read the states that it has written.
private struct HalfCodec: JournalCodec {
  struct Unreadable: Error {}
  private let json = JSONJournalCodec()

  func encode<Value: Encodable>(_ value: Value) throws -> Data { try json.encode(value) }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    if type == CartReactor.State.self { throw Unreadable() }
    return try json.decode(type, from: data)
  }
}
