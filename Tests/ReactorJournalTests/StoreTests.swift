import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// What every store has to pass, after Pekko's kit for journals.
@Suite(.serialized, .bounded) struct StoreTests {
  private let key = JournalKey(name: "kept", id: "1")

  private func entries(_ range: ClosedRange<Int>) -> [JournalEntry] {
    range.map {
      JournalEntry(
        sequence: $0, version: 1, payload: Data("entry \($0)".utf8), cause: "1.\($0)",
        time: Date(timeIntervalSinceReferenceDate: Double($0) / 7))
    }
  }

  /// A store with a journal of so many entries, and the epoch to write under.
  private func filled(
    _ kind: StoreKind, _ count: Int = 10
  ) async throws -> (fixture: StoreFixture, epoch: Int) {
    let fixture = try await StoreFixture(kind)
    let claim = try await fixture.store.take(key)
    if count > 0 {
      try await fixture.store.append(entries(1...count), to: key, epoch: claim.epoch)
    }
    return (fixture, claim.epoch)
  }

  @Test(arguments: StoreKind.allCases)
  func `returns all entries as they were`(_ kind: StoreKind) async throws {
    let (fixture, _) = try await filled(kind)
    defer { fixture.remove() }
    #expect(try await fixture.store.entries(of: key, after: 0, limit: .max) == entries(1...10))
  }

  @Test(arguments: StoreKind.allCases)
  func `returns entries from a lower bound on, up to the limit`(
    _ kind: StoreKind
  ) async throws {
    let (fixture, _) = try await filled(kind)
    defer { fixture.remove() }
    let store = fixture.store
    #expect(try await store.entries(of: key, after: 6, limit: 99) == entries(7...10))
    #expect(try await store.entries(of: key, after: 6, limit: 2) == entries(7...8))
    #expect(try await store.entries(of: key, after: 0, limit: 1) == entries(1...1))
    #expect(try await store.entries(of: key, after: 0, limit: 0) == [])
    #expect(try await store.entries(of: key, after: 10, limit: 9) == [])
    #expect(try await store.entries(of: key, after: 99, limit: 9) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `has nothing of a journal that was never written`(_ kind: StoreKind) async throws {
    let (fixture, _) = try await filled(kind)
    defer { fixture.remove() }
    let other = JournalKey(name: "kept", id: "2")
    #expect(try await fixture.store.entries(of: other, after: 0, limit: 9) == [])
    #expect(try await fixture.store.extent(of: other) == JournalExtent(deleted: 0, last: 0))
    #expect(try await fixture.store.snapshot(of: other, through: .max) == nil)
    let claim = try await fixture.store.take(other)
    #expect(claim.extent == JournalExtent(deleted: 0, last: 0))
  }

  @Test(arguments: StoreKind.allCases)
  func `does not return what was deleted, and keeps the highest sequence`(
    _ kind: StoreKind
  ) async throws {
    let (fixture, epoch) = try await filled(kind)
    defer { fixture.remove() }
    let store = fixture.store
    try await store.deleteEntries(of: key, through: 4, epoch: epoch)
    #expect(try await store.entries(of: key, after: 0, limit: 99) == entries(5...10))
    #expect(try await store.extent(of: key) == JournalExtent(deleted: 4, last: 10))
    try await store.deleteEntries(of: key, through: 99, epoch: epoch)
    #expect(try await store.entries(of: key, after: 0, limit: 99) == [])
    #expect(try await store.extent(of: key) == JournalExtent(deleted: 10, last: 10))
    await store.release(key, epoch: epoch)
    let claim = try await store.take(key)
    #expect(claim.extent.last == 10)
    try await store.append(entries(11...12), to: key, epoch: claim.epoch)
    #expect(try await store.entries(of: key, after: 0, limit: 99) == entries(11...12))
  }

  @Test(arguments: StoreKind.allCases)
  func `keeps which change an undo is of, and a hash`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind, 0)
    defer { fixture.remove() }
    let kept = [
      JournalEntry(
        sequence: 1, version: 3, kind: .undo(7), payload: Data(), time: Date(),
        stateHash: .max),
      JournalEntry(sequence: 2, version: 4, kind: .redo(8), payload: Data([0]), time: Date()),
    ]
    try await fixture.store.append(kept, to: key, epoch: epoch)
    #expect(try await fixture.store.entries(of: key, after: 0, limit: 9) == kept)
  }

  @Test func `has the highest sequence of a file that is opened again`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    do {
      let store = try await SQLiteStore(path: fixture.path)
      let claim = try await store.take(key)
      try await store.append(entries(1...10), to: key, epoch: claim.epoch)
      try await store.deleteEntries(of: key, through: 99, epoch: claim.epoch)
    }
    let store = try await SQLiteStore(path: fixture.path)
    #expect(try await store.extent(of: key) == JournalExtent(deleted: 10, last: 10))
    let claim = try await store.take(key)
    #expect(claim.extent.last == 10)
    try await store.append(entries(11...12), to: key, epoch: claim.epoch)
    #expect(try await store.entries(of: key, after: 0, limit: 99) == entries(11...12))
  }

  @Test(arguments: StoreKind.allCases)
  func `writes none of a batch in which one entry cannot be encoded`(
    _ kind: StoreKind
  ) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let reports = Log<String>()
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    await cart.send(.emit([.added(2), .unencodable(.infinity), .added(3)])).settled
    #expect(reports.entries.contains { $0.contains("mutation 3 of cart '1' cannot be encoded") })
    let cartKey = JournalKey(name: "cart", id: "1")
    #expect(try await fixture.store.extent(of: cartKey) == JournalExtent(deleted: 0, last: 1))
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == [1])
  }

  // MARK: Order and owners

  @Test(arguments: StoreKind.allCases)
  func `refuses a gap and an overlap, and writes nothing of them`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind, 3)
    defer { fixture.remove() }
    for range in [3...4, 5...6, 1...1] {
      await #expect(throws: JournalError.self) {
        try await fixture.store.append(entries(range), to: key, epoch: epoch)
      }
    }
    #expect(try await fixture.store.entries(of: key, after: 0, limit: 9) == entries(1...3))
  }

  @Test(arguments: StoreKind.allCases)
  func `refuses writes under an earlier epoch`(_ kind: StoreKind) async throws {
    let (fixture, old) = try await filled(kind, 3)
    defer { fixture.remove() }
    let store = fixture.store
    await store.release(key, epoch: old)
    let new = try await store.take(key)
    #expect(new.epoch > old)
    let snapshot = JournalSnapshot(sequence: 3, version: 1, payload: Data())
    await #expect(throws: JournalError.self) {
      try await store.append(entries(4...4), to: key, epoch: old)
    }
    await #expect(throws: JournalError.self) {
      try await store.save(snapshot, of: key, epoch: old)
    }
    await #expect(throws: JournalError.self) {
      try await store.deleteEntries(of: key, through: 3, epoch: old)
    }
    // Nor does it release what is another's.
    await store.release(key, epoch: old)
    await #expect(throws: JournalError.self) { try await store.take(key) }
    #expect(try await store.extent(of: key) == JournalExtent(deleted: 0, last: 3))
  }

  @Test(arguments: StoreKind.allCases)
  func `gives a journal to one of many that take it at once`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let winners = await withTaskGroup(of: Bool.self) { group in
      for _ in 1...50 {
        group.addTask { (try? await fixture.store.take(key)) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(winners == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `releases a journal in a task that is cancelled`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind)
    defer { fixture.remove() }
    let ending = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await fixture.store.release(key, epoch: epoch)
    }
    await ending.value
    #expect(try await fixture.store.take(key).epoch > epoch)
  }

  // MARK: Lists

  @Test(arguments: StoreKind.allCases)
  func `lists the stored identifiers, page by page`(
    _ kind: StoreKind
  ) async throws {
    let (fixture, epoch) = try await filled(kind, 2)
    defer { fixture.remove() }
    let store = fixture.store
    for id in ["10", "", "b", "a"] {
      let other = JournalKey(name: "kept", id: id)
      let claim = try await store.take(other)
      try await store.append(entries(1...1), to: other, epoch: claim.epoch)
    }
    // Of these, nothing is kept under the name.
    _ = try await store.take(JournalKey(name: "kept", id: "empty"))
    let foreign = try await store.take(JournalKey(name: "kept2", id: "c"))
    try await store.append(
      entries(1...1), to: JournalKey(name: "kept2", id: "c"), epoch: foreign.epoch)
    #expect(
      try await store.ids(of: "kept", after: nil, limit: .max) == ["", "1", "10", "a", "b"])
    #expect(try await store.ids(of: "kept", after: nil, limit: 2) == ["", "1"])
    #expect(try await store.ids(of: "kept", after: "1", limit: 2) == ["10", "a"])
    #expect(try await store.ids(of: "kept", after: "b", limit: 2) == [])
    #expect(try await store.ids(of: "nobody", after: nil, limit: 2) == [])
    // What is deleted has been kept: the journal goes on from there.
    try await store.deleteEntries(of: key, through: 2, epoch: epoch)
    #expect(try await store.ids(of: "kept", after: "", limit: 1) == ["1"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a journal lists all its reactors of a type`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let ids = (1...1_050).map { "\(10_000 + $0)" }
    for id in ids {
      let key = JournalKey(name: CartReactor.journalName, id: id)
      let claim = try await fixture.store.take(key)
      try await fixture.store.append(entries(1...1), to: key, epoch: claim.epoch)
      await fixture.store.release(key, epoch: claim.epoch)
    }
    let journal = try await Journal(.store(fixture.store))
    var found: [String] = []
    for try await id in journal.ids(of: CartReactor.self) { found.append(id) }
    #expect(found == ids)
  }

  // MARK: Another identifier

  @Test(arguments: StoreKind.allCases)
  func `renames a journal, with all that is in it`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind)
    defer { fixture.remove() }
    let (store, other) = (fixture.store, JournalKey(name: key.name, id: "aside"))
    let snapshot = JournalSnapshot(sequence: 5, version: 1, payload: Data("five".utf8))
    try await store.save(snapshot, of: key, epoch: epoch)
    try await store.deleteEntries(of: key, through: 2, epoch: epoch)
    await #expect(throws: JournalError.self) { try await store.move(key, to: "aside") }
    await store.release(key, epoch: epoch)
    try await store.move(key, to: "aside")
    #expect(try await store.entries(of: other, after: 0, limit: 99) == entries(3...10))
    #expect(try await store.snapshot(of: other, through: .max) == snapshot)
    #expect(try await store.extent(of: other) == JournalExtent(deleted: 2, last: 10))
    #expect(try await store.extent(of: key) == JournalExtent(deleted: 0, last: 0))
    #expect(try await store.entries(of: key, after: 0, limit: 99) == [])
    #expect(try await store.snapshot(of: key, through: .max) == nil)
    let claim = try await store.take(key)
    try await store.append(entries(1...1), to: key, epoch: claim.epoch)
    #expect(try await store.take(other).epoch > epoch)
  }

  @Test(arguments: StoreKind.allCases)
  func `does not rename a journal to an existing identifier`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind, 3)
    defer { fixture.remove() }
    let store = fixture.store
    await store.release(key, epoch: epoch)
    let other = JournalKey(name: key.name, id: "2")
    let claim = try await store.take(other)
    try await store.append(entries(1...1), to: other, epoch: claim.epoch)
    let error = await #expect(throws: JournalError.self) { try await store.move(key, to: "2") }
    #expect(error?.description.contains("there is a journal of kept '2' already") == true)
    #expect(try await store.extent(of: key).last == 3)
    #expect(try await store.extent(of: other).last == 1)
    // And what there is not gets none.
    let missing = await #expect(throws: JournalError.self) {
      try await store.move(JournalKey(name: key.name, id: "3"), to: "4")
    }
    #expect(missing?.description == "there is no journal of kept '3'")
  }

  // MARK: Snapshots

  @Test(arguments: StoreKind.allCases)
  func `returns the newest snapshot that is not too new`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await filled(kind)
    defer { fixture.remove() }
    let store = fixture.store
    let snapshots = [2, 5, 9].map {
      JournalSnapshot(sequence: $0, version: 1, payload: Data("state \($0)".utf8))
    }
    for snapshot in snapshots { try await store.save(snapshot, of: key, epoch: epoch) }
    #expect(try await store.snapshot(of: key, through: .max) == snapshots[2])
    #expect(try await store.snapshot(of: key, through: 8) == snapshots[1])
    #expect(try await store.snapshot(of: key, through: 1) == nil)
    let again = JournalSnapshot(sequence: 9, version: 2, payload: Data("new".utf8))
    try await store.save(again, of: key, epoch: epoch)
    #expect(try await store.snapshot(of: key, through: 9) == again)
    try await store.deleteSnapshots(of: key, through: 5, epoch: epoch)
    #expect(try await store.snapshot(of: key, through: 8) == nil)
    #expect(try await store.snapshot(of: key, through: 9) == again)
  }
}
