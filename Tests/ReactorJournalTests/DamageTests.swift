import Foundation
import GRDB
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// A file that is not what it was: a clean beginning, or a refusal, and never anything else.
@Suite(.bounded(minutes: 10)) struct DamageTests {
  private let key = JournalKey(name: "cart", id: "1")

  @Test func `a log torn at any byte leaves a correct beginning`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    var lengths: Set<Int> = []
    // Every byte of the end, and one of each stretch before it.
    let before = stride(from: 0, to: log.count, by: max(1, log.count / TestCounts.damage))
    let cuts = Array(before) + Array((log.count - 100)...log.count)
    for cut in cuts {
      // Of a name of its own: the one before may not have been closed yet.
      let copy = fixture.folder.appendingPathComponent("torn-\(cut).db").path
      defer {
        for ending in ["", "-wal", "-shm", ".owners"] {
          try? FileManager.default.removeItem(atPath: copy + ending)
        }
      }
      try main.write(to: URL(fileURLWithPath: copy))
      try log.prefix(cut).write(to: URL(fileURLWithPath: copy + "-wal"))
      let store = try await SQLiteStore(path: copy)
      let found = try await store.entries(of: key, after: 0, limit: 99)
      #expect(found.map(\.sequence) == Array(0..<found.count).map { $0 + 1 }, "cut \(cut)")
      #expect(found.allSatisfy { $0.payload == Data("entry \($0.sequence)".utf8) })
      #expect(try await store.extent(of: key).last == found.count, "cut \(cut)")
      lengths.insert(found.count)
    }
    #expect(lengths.contains(5) && lengths.contains(0) && lengths.count > 2)
  }

  /// A database whose five entries, each a commit of its own, are all in its log.
  private func logOfFive(at path: String) async throws -> (main: Data, log: Data) {
    let store = try await SQLiteStore(path: path)
    let claim = try await store.take(key)
    for number in 1...5 {
      let entry = JournalEntry(
        sequence: number, version: 1, payload: Data("entry \(number)".utf8), time: Date())
      try await store.append([entry], to: key, epoch: claim.epoch)
    }
    return try withExtendedLifetime(store) {
      (
        try Data(contentsOf: URL(fileURLWithPath: path)),
        try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      )
    }
  }

  @Test(arguments: ["no database at all", "SQLite format 3\0 and then something else"])
  func `a file that is no journal is refused, and left as it is`(_ text: String) async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let bytes = Data(String(repeating: text, count: 99).utf8)
    try bytes.write(to: URL(fileURLWithPath: fixture.path))
    let error = await #expect(throws: JournalError.self) {
      try await Journal(.sqlite(at: fixture.path))
    }
    #expect(error?.description.contains("cannot be used") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == bytes)
  }

  @Test func `a folder that does not exist is refused`() async throws {
    await #expect(throws: JournalError.self) {
      try await Journal(.sqlite(at: "/nowhere/at/all.db"))
    }
  }

  @Test func `an entry whose bytes have changed stops the opening, with its number`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...3 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    try await SQLiteFile(fixture.path).execute(
      "UPDATE journal_entry SET payload = replace(payload, '2', '7') WHERE sequence = 2")
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { CartReactor() }
    }
    #expect(
      error?.description
        == "entry 2 of cart '1' is damaged; it has been left as it is; to start over, use setAside")
  }

  @Test(arguments: [
    "UPDATE journal_entry SET payload = replace(payload, '2', '7') WHERE sequence = 2",
    "UPDATE journal_entry SET checksum = checksum + 1 WHERE sequence = 3",
    "DELETE FROM journal_entry WHERE sequence = 2",
    "UPDATE journal_owner SET last = 9",
    "UPDATE journal_owner SET deleted = 1",
  ])
  func `an opening that is refused changes no entry and no snapshot`(
    _ damage: String
  ) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...3 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    let file = try SQLiteFile(fixture.path)
    if !damage.contains("deleted") { try await fixture.store.saveSnapshot(at: 1, of: key) }
    try await file.execute(damage)
    let all = [
      "SELECT * FROM journal_entry ORDER BY owner, sequence",
      "SELECT * FROM journal_snapshot ORDER BY owner, sequence",
      // All of it but the epoch, which shows that there was an attempt.
      "SELECT number, name, id, deleted, last FROM journal_owner",
    ]
    var before: [[[DatabaseValue]]] = []
    for sql in all { before.append(try await file.rows(sql)) }
    for _ in 1...2 {
      await #expect(throws: JournalError.self) {
        try await journal.open("1") { CartReactor(Log()) }
      }
    }
    for (sql, rows) in zip(all, before) { #expect(try await file.rows(sql) == rows) }
  }

  @Test func `a journal that cannot be opened is set aside, and the reactor starts over`()
    async throws
  {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...3 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    // Not even that it ends where it says.
    let file = try SQLiteFile(fixture.path)
    try await file.execute("UPDATE journal_owner SET last = 9")
    await #expect(throws: JournalError.self) { try await journal.open("1") { CartReactor() } }
    await #expect(throws: JournalError.self) {
      try await journal.setAside("1", of: CartReactor.self, as: "1")
    }
    await #expect(throws: JournalError.self) {
      try await journal.setAside("one", of: CartReactor.self, as: "1-damaged")
    }
    try await journal.setAside("1", of: CartReactor.self, as: "1-damaged")
    let new = try await journal.open("1") { CartReactor() }
    #expect(await new.currentState.items == [])
    await new.send(.add(7)).settled
    await new.stop().settled
    // Mended, the old one is set back.
    try await file.execute("UPDATE journal_owner SET last = 3 WHERE id = '1-damaged'")
    try await journal.setAside("1", of: CartReactor.self, as: "1-new")
    try await journal.setAside("1-damaged", of: CartReactor.self, as: "1")
    let old = try await journal.open("1") { CartReactor() }
    #expect(await old.currentState.items == [1, 2, 3])
  }

  @Test(arguments: StoreKind.allCases)
  func `an opened journal blocks restoring the one set aside, until it is set aside too`(
    _ kind: StoreKind
  ) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.add(1)).settled
    await cart.stop().settled
    try await journal.setAside("1", of: CartReactor.self, as: "1-damaged")
    await (try journal.open("1") { CartReactor() }).stop().settled
    let error = await #expect(throws: JournalError.self) {
      try await journal.setAside("1-damaged", of: CartReactor.self, as: "1")
    }
    #expect(
      error?.description == "there is a journal of cart '1' already, be it empty: give another "
        + "identifier, or set that one aside first")
    try await journal.setAside("1", of: CartReactor.self, as: "1-empty")
    try await journal.setAside("1-damaged", of: CartReactor.self, as: "1")
    let old = try await journal.open("1") { CartReactor() }
    #expect(await old.currentState.items == [1])
    await old.stop().settled
  }

  @Test func `a snapshot that has moved is skipped`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(
      .store(fixture.store), options: JournalOptions(snapshotAfter: nil))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...60 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    try await fixture.store.saveSnapshot(at: 40, of: key)
    try await SQLiteFile(fixture.path).execute(
      "UPDATE journal_snapshot SET sequence = sequence - 16")
    let reports = Log<String>()
    let again = try await journal.open("1") { CartReactor(reports) }
    #expect(await again.currentState.items == Array(1...60))
    #expect(reports.entries.count { $0.contains("a snapshot was skipped") } == 1)
  }

  @Test(arguments: [2, 3])
  func `the list of changes reports a missing entry`(_ lost: Int) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...3 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    try await SQLiteFile(fixture.path).execute(
      "DELETE FROM journal_entry WHERE sequence = \(lost)")
    let history = journal.history("1", of: CartReactor.self)
    var seen: [Int] = []
    let error = await #expect(throws: JournalError.self) {
      for try await change in history.changes() { seen.append(change.sequence) }
    }
    #expect(error?.description == "entry \(lost) of cart '1' is missing")
    #expect(seen == Array(1..<lost))
  }

  @Test func `entries that were deleted in order are not reported as missing`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    for item in 1...3 { await cart.send(.add(item)).settled }
    await cart.stop().settled
    let history = journal.history("1", of: CartReactor.self)
    for (deleted, left) in [(2, [3]), (3, [])] {
      let claim = try await fixture.store.take(key)
      try await fixture.store.deleteEntries(of: key, through: deleted, epoch: claim.epoch)
      await fixture.store.release(key, epoch: claim.epoch)
      var seen: [Int] = []
      for try await change in history.changes() { seen.append(change.sequence) }
      #expect(seen == left)
    }
  }
}
