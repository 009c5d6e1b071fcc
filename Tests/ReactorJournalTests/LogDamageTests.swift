import Foundation
import Reactor
import Testing
import TestLimits

@testable import ReactorJournal

/// SQLite's write-ahead log, which takes no notice of what has changed in it.
@Suite(.bounded) struct LogDamageTests {
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

  @Test func `what has changed in the last commit is as torn as a crash leaves it`() async throws {
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

  @Test func `a frame that was read while it was being written is read again`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let (_, log) = try await logOfFive(at: fixture.path)
    let third = head + 2 * frame
    var reads = 0
    try LogCheck.check(fixture.path) { _ in
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

  @Test func `a log that was begun anew over an older one is whole`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let claim = try await fixture.store.take(key)
    // Each is two frames, and with a thousand the log begins anew.
    for number in 1...1_200 { try await fixture.store.append(number, to: key, claim) }
    let log = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "-wal"))
    #expect(Set(frames(in: log).map { log[$0 + 8..<$0 + 16] }).count > 1)
    let main = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let store = try await SQLiteStore(
      path: try copy(main, log, to: fixture.folder, as: "anew"))
    #expect(try await store.extent(of: key).last == 1_200)
  }

  @Test func `when the last journal is let go of, one file is all there is`() async throws {
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

  // MARK: Helpers

  /// A database whose five entries, each a commit of its own, are all in its log.
  private func logOfFive(at path: String) async throws -> (main: Data, log: Data) {
    let store = try await SQLiteStore(path: path)
    let claim = try await store.take(key)
    for number in 1...5 { try await store.append(number, to: key, claim) }
    return try withExtendedLifetime(store) {
      (
        try Data(contentsOf: URL(fileURLWithPath: path)),
        try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
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
