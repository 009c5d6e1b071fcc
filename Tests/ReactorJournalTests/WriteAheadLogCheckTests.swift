import Foundation
import GRDB
import Reactor
import Testing
import TestLimits

@testable import ReactorJournal

/// SQLite's write-ahead log, which takes no notice of what has changed in it.
@Suite(.bounded) struct WriteAheadLogCheckTests {
  private let key = JournalKey(name: "cart", id: "1")
  /// A page and its frame's head, and the log's own, as SQLite's files have them.
  private let frame = 4_096 + 24
  private let head = 32

  @Test func `a byte that has changed before the last commit is refused`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    let lastCommit = try #require(commits(in: log).dropLast().last)
    var refused = 0
    for place in Array(0..<head) + Array(stride(from: head, to: lastCommit, by: 211)) {
      var damaged = log
      damaged[place] ^= 0x41
      let path = try copy(main, damaged, to: fixture.folder, as: "flipped-\(place)")
      let error = await #expect(throws: JournalError.self, "byte \(place)") {
        _ = try await SQLiteStore(path: path)
      }
      let number = place < head ? nil : (place - head) / frame + 1
      #expect(error?.description.contains(number.map { "frame \($0)" } ?? "its head") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == damaged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == main)
      refused += 1
    }
    #expect(refused > 50)
  }

  /// What a program that writes zeros over a file leaves: every beginning, and these lengths.
  @Test(arguments: [1, 24, 32, 56, 64, 512, 4_096, 9_000])
  func `a log with a part of zeros is refused, or nothing of it is missing`(
    _ length: Int
  ) async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    // Without an index, the frame that ends the commit before the last has to be there.
    let limit = try #require(commits(in: log).dropLast().last) - frame
    let step = max(1, limit / TestCounts.damage)
    let places = Array(0...head + 24) + Array(stride(from: head + 25, to: limit, by: step))
    for place in places where place + length <= limit {
      try await expectRefusal(main, log, zeros: place..<place + length, in: fixture.folder)
    }
  }

  @Test func `so is a log with zeros at its beginning, however many`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    let step = max(1, log.count / TestCounts.damage)
    for end in Array(1...head + 24) + Array(stride(from: head + 25, to: log.count, by: step)) {
      try await expectRefusal(main, log, zeros: 0..<end, in: fixture.folder)
    }
  }

  @Test func `random parts of a long log that are random are refused`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await log(of: 300, at: fixture.path)
    let limit = try #require(commits(in: log).dropLast().last) - frame
    var random = SplitMix64(seed: TestCounts.seed ?? 20_261_128)
    for _ in 0..<TestCounts.damage {
      let place = random.below(limit - 1)
      let length = 1 + random.below(min(limit - place, 1 << random.below(16)))
      var damaged = log
      for index in place..<place + length { damaged[index] = UInt8(random.below(256)) }
      try await expectRefusal(
        main, log, damaged, "\(place)..<\(place + length)", in: fixture.folder)
    }
  }

  @Test func `with the index of a killed process, a log with a missing part is refused`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log, index) = try await filesOfFive(at: fixture.path)
    let step = max(1, log.count / TestCounts.damage)
    for place in stride(from: 0, to: log.count, by: step) {
      var damaged = log
      damaged.replaceSubrange(place..., with: repeatElement(0, count: log.count - place))
      try await expectRefusal(
        main, log, damaged, "from \(place)", index: index, in: fixture.folder)
      try await expectRefusal(
        main, log, log.prefix(max(place, head)), "cut at \(place)", index: index,
        in: fixture.folder)
    }
    let path = try copy(main, log, to: fixture.folder, as: "whole")
    try index.write(to: URL(fileURLWithPath: path + "-shm"))
    let store = try await SQLiteStore(path: path)
    #expect(try await store.extent(of: key).last == 5)
  }

  private func expectRefusal(
    _ main: Data, _ log: Data, zeros range: Range<Int>, in folder: URL
  ) async throws {
    var damaged = log
    damaged.replaceSubrange(range, with: repeatElement(0, count: range.count))
    try await expectRefusal(main, log, damaged, "\(range)", in: folder)
  }

  /// Where nothing has changed, there is nothing to refuse.
  private func expectRefusal(
    _ main: Data, _ log: Data, _ damaged: Data, _ what: String, index: Data? = nil, in folder: URL
  ) async throws {
    guard damaged != log else { return }
    let path = try copy(main, damaged, to: folder, as: "damaged")
    try index?.write(to: URL(fileURLWithPath: path + "-shm"))
    defer { for end in ["", "-wal", "-shm", ".owners"] { unlink(path + end) } }
    await #expect(throws: JournalError.self, "\(what)") { _ = try await SQLiteStore(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == damaged, "\(what)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == main, "\(what)")
  }

  @Test func `a change in the last commit counts as torn, as after a crash`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    let lastCommit = try #require(commits(in: log).dropLast().last)
    for place in stride(from: lastCommit, to: log.count, by: 211) {
      var torn = log
      torn[place] ^= 0x41
      let path = try copy(main, torn, to: fixture.folder, as: "torn-\(place)")
      let store = try await SQLiteStore(path: path)
      #expect(try await store.extent(of: key).last == 4, "byte \(place)")
    }
  }

  /// At every offset, which takes a log that is small, and no SQLite for each.
  @Test(arguments: [1, 24, 56, 536, 1_100])
  func `at every offset of a small log, any part that has changed is refused`(
    _ length: Int
  ) async throws {
    let (log, page) = try await smallLog()
    let limit = try #require(commits(in: log, page: page).dropLast().last) - (page + 24)
    try #require(limit > 2_000)
    for place in 0..<limit where place + length <= limit {
      for isZeroed in [false, true] {
        var damaged = log
        for index in place..<place + length { damaged[index] = isZeroed ? 0 : ~damaged[index] }
        if damaged == log { continue }
        #expect(throws: WriteAheadLogCheck.Damaged.self, "\(place), \(length), \(isZeroed)") {
          try WriteAheadLogCheck.check("small", opening: reading(damaged))
        }
      }
    }
    try WriteAheadLogCheck.check("small", opening: reading(log))
  }

  /// Of a log with small pages, and without SQLite, each takes about a millisecond.
  @Test(arguments: [5, 300])
  func `thousands of random changes of a log are refused`(commitCount: Int) async throws {
    let (log, page) = try await smallLog(of: commitCount)
    let ends = commits(in: log, page: page)
    try #require(ends.count >= commitCount)
    let limit = try #require(ends.dropLast().last) - (page + 24)
    var random = SplitMix64(seed: TestCounts.seed ?? 20_261_128)
    for _ in 0..<10 * TestCounts.damage {
      let place = random.below(limit - 1)
      let length = 1 + random.below(min(limit - place, 1 << random.below(16)))
      let range = place..<place + length
      var damaged = log
      for index in range { damaged[index] = UInt8(random.below(256)) }
      if damaged[range] == log[range] { continue }
      #expect(throws: WriteAheadLogCheck.Damaged.self, "\(range)") {
        try WriteAheadLogCheck.check("small", opening: reading(damaged))
      }
    }
  }

  @Test func `a frame that was read while it was being written is read again`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (_, log) = try await logOfFive(at: fixture.path)
    let third = head + 2 * frame
    var reads = 0
    try WriteAheadLogCheck.check(fixture.path) { _ in
      { place, count in
        var bytes = [UInt8](log[place..<min(place + count, log.count)])
        if place == third { reads += 1 }
        // Its head is the new one, and its page still that of the log before.
        if place == third, reads == 1 { bytes[100] ^= 0x41 }
        return bytes
      }
    }
    #expect(reads > 1)
  }

  @Test func `a log that was begun over an older one is whole`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let claim = try await fixture.store.take(key)
    // Each is two frames, and with a thousand the log begins anew.
    for number in 1...700 { try await fixture.store.append(number, to: key, claim) }
    let log = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "-wal"))
    #expect(Set(frames(in: log).map { log[$0 + 8..<$0 + 16] }).count > 1)
    let main = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let store = try await SQLiteStore(
      path: try copy(main, log, to: fixture.folder, as: "anew"))
    #expect(try await store.extent(of: key).last == 700)
  }

  @Test func `when the last journal is released, the log is empty`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let carts = try await [
      journal.open("1") { CartReactor() }, journal.open("2") { CartReactor() },
    ]
    let log = URL(fileURLWithPath: fixture.path + "-wal")
    for cart in carts { await cart.send(.add(1)).settled }
    await carts[0].stop().settled
    #expect(try !Data(contentsOf: log).isEmpty)
    await carts[1].stop().settled
    #expect(try Data(contentsOf: log).isEmpty)
    let main = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let store = try await SQLiteStore(
      path: try copy(main, Data(), to: fixture.folder, as: "alone"))
    #expect(try await store.extent(of: JournalKey(name: "cart", id: "2")).last == 1)
  }

  @Test func `the log of a file that has replaced an open one is checked`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (main, log) = try await logOfFive(at: fixture.path)
    let path = fixture.folder.appendingPathComponent("replaced.db").path
    let first = try await SQLiteStore(path: path)
    for end in ["", "-wal", "-shm"] { unlink(path + end) }
    var damaged = log
    damaged[head + 100] ^= 0x41
    _ = try copy(main, damaged, to: fixture.folder, as: "replaced")
    await #expect(throws: JournalError.self) { _ = try await SQLiteStore(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == damaged)
    withExtendedLifetime(first) {}
  }

  // MARK: Helpers

  /// The log of a database with small pages, of so many commits and that of its table.
  private func smallLog(of count: Int = 5) async throws -> (log: [UInt8], page: Int) {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 512; PRAGMA journal_mode = WAL")
    }
    let queue = try DatabaseQueue(path: fixture.path + "-small", configuration: configuration)
    try await queue.write { try $0.execute(sql: "CREATE TABLE entry (text TEXT)") }
    for number in 0..<count {
      try await queue.write {
        try $0.execute(sql: "INSERT INTO entry VALUES (?)", arguments: ["entry \(number)"])
      }
    }
    return try withExtendedLifetime(queue) {
      let log = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "-small-wal"))
      return ([UInt8](log), 512)
    }
  }

  /// Where each commit of a log with pages of this size is over.
  private func commits(in log: [UInt8], page: Int) -> [Int] {
    stride(from: head, through: log.count - page - 24, by: page + 24)
      .filter { place in log[place + 4..<place + 8].contains { $0 != 0 } }
      .map { $0 + page + 24 }
  }

  /// Opens a log, and nothing else.
  private func reading(_ log: [UInt8]) -> (String) -> WriteAheadLogCheck.Read? {
    { path in
      guard path.hasSuffix("-wal") else { return nil }
      return { place, count in
        place < log.count ? Array(log[place..<min(place + count, log.count)]) : []
      }
    }
  }

  /// A database whose five entries, each a commit of its own, are all in its log.
  private func logOfFive(at path: String) async throws -> (main: Data, log: Data) {
    try await log(of: 5, at: path)
  }

  private func log(of count: Int, at path: String) async throws -> (main: Data, log: Data) {
    let files = try await files(of: count, at: path)
    return (files.main, files.log)
  }

  private func filesOfFive(
    at path: String
  ) async throws -> (main: Data, log: Data, index: Data) { try await files(of: 5, at: path) }

  private func files(
    of count: Int, at path: String
  ) async throws -> (main: Data, log: Data, index: Data) {
    let store = try await SQLiteStore(path: path)
    let claim = try await store.take(key)
    for number in 1...count { try await store.append(number, to: key, claim) }
    return try withExtendedLifetime(store) {
      (
        try Data(contentsOf: URL(fileURLWithPath: path)),
        try Data(contentsOf: URL(fileURLWithPath: path + "-wal")),
        try Data(contentsOf: URL(fileURLWithPath: path + "-shm"))
      )
    }
  }

  private func copy(_ main: Data, _ log: Data, to folder: URL, as name: String) throws -> String {
    let copy = folder.appendingPathComponent(name + ".db").path
    try main.write(to: URL(fileURLWithPath: copy))
    try log.write(to: URL(fileURLWithPath: copy + "-wal"))
    return copy
  }

  private func frames(in log: Data) -> [Int] {
    Array(stride(from: head, through: log.count - frame, by: frame))
  }

  /// Where each commit is over.
  private func commits(in log: Data) -> [Int] {
    frames(in: log).filter { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }.map { $0 + frame }
  }
}

extension JournalStore {
  fileprivate func append(
    _ number: Int, to key: JournalKey, _ claim: JournalClaim
  ) async throws {
    let entry = JournalEntry(
      sequence: number, version: 1, payload: Data("entry \(number)".utf8), time: Date())
    try await append([entry], to: key, epoch: claim.epoch)
  }
}
