import Foundation
import JournalFixture
import Reactor
import ReactorJournal
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// A disk that is full, a file that is only to be read, one that is gone or damaged.
@Suite(.bounded(minutes: 10)) struct StoreFailureTests {
  @Test(arguments: ["full", "read-only"])
  func `on a disk that fills up, nothing acknowledged is lost, and nothing else shown`(
    _ mode: String
  ) async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let session = try PipedSession("JournalFixture", arguments: [fixture.path, mode])
    var (acknowledged, seen, lost): ([Int: Int], Int, Int) = ([:], 0, 0)
    for line in try await session.remainingLines() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch words.first {
      case "ack": acknowledged[numbers[0]] = numbers[1]
      case "seen": seen = numbers[0]
      case "lost": lost += 1
      default: break
      }
    }
    let end = await session.waitForExit()
    #expect(end.status == .exited(0))
    // Each of the eight senders was notified, and the handler of reports once.
    #expect(lost == 8)
    let reports = end.errorOutput.split(separator: "\n")
    #expect(reports.count { $0.contains("what it did could not be kept") } == 1)
    let journal = try await Journal(.sqlite(at: fixture.path))
    let tally = try await journal.open("1") { TallyReactor() }
    let state = await tally.currentState
    #expect(!acknowledged.isEmpty)
    for (sender, number) in acknowledged { #expect(state[sender]?.count ?? 0 > number) }
    for numbers in state.values { #expect(numbers == Array(0..<numbers.count)) }
    #expect(TallyReactor.count(state) >= seen)
    // There is space again, and it can be written to.
    let before = state[0]?.count ?? 0
    await tally.send(.init(sender: 0, number: before)).settled
    #expect(await tally.currentState[0]?.count == before + 1)
    await tally.stop().settled
  }

  @Test func `a file that is read-only is refused, and stays as it is`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let bytes = try Data(contentsOf: URL(filePath: fixture.path))
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: fixture.path)
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.folder.path)
    defer {
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixture.folder.path)
    }
    let session = try PipedSession("JournalFixture", arguments: [fixture.path, "nobody"])
    let line = try #require(await session.nextLine())
    #expect(line.hasPrefix("error the journal in '\(fixture.path)' cannot be used: "))
    _ = await session.waitForExit()
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == bytes)
  }

  /// Rights that are missing, of the file that they are missing of, and what cannot be done.
  enum Missing: String, CaseIterable {
    case write = "", read = "read", writeLog = "-wal", writeFolder = "/"

    func take(from fixture: StoreFixture) throws {
      let files = FileManager.default
      switch self {
      case .write, .read, .writeLog:
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: fixture.folder.path)
        for ending in ["", "-wal", "-shm", ".owners"] {
          try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: fixture.path + ending)
        }
        let rights = self == .read ? 0o000 : 0o444
        try files.setAttributes([.posixPermissions: rights], ofItemAtPath: path(in: fixture))
      case .writeFolder:
        for ending in ["", "-wal", "-shm", ".owners"] {
          try files.removeItem(atPath: fixture.path + ending)
        }
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: fixture.folder.path)
      }
    }

    func path(in fixture: StoreFixture) -> String {
      switch self {
      case .write, .read: fixture.path
      case .writeLog: fixture.path + "-wal"
      case .writeFolder: fixture.folder.path
      }
    }

    var verb: String { self == .read ? "read" : "written" }
    var help: String { self == .read ? "read" : "write" }
  }

  @Test(arguments: Missing.allCases)
  func `a store whose files this process may not use is refused with the reason`(
    _ missing: Missing
  ) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    try missing.take(from: fixture)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.path)
    }
    let session = try PipedSession("JournalFixture", arguments: [fixture.path, "nobody"])
    #expect(
      try await session.nextLine()
        == "error the journal in '\(fixture.path)' cannot be used: '\(missing.path(in: fixture))' "
        + "may not be \(missing.verb): Permission denied; let this process \(missing.help) it, or "
        + "give another path")
    _ = await session.waitForExit()
  }

  @Test(arguments: ["", "-wal"])
  func `an entry written to a deleted file is not acknowledged`(_ suffix: String) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let reports = Log<String>()
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    try FileManager.default.removeItem(atPath: fixture.path + suffix)
    let outcome = await cart.outcome(of: .add(2))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect("\(error)".contains("'\(fixture.path)\(suffix)' has been deleted or replaced"))
    #expect(await cart.currentState.items == [1])
    #expect(reports.entries.contains { $0.contains("could not be kept") })
  }

  @Test(arguments: ["", "-wal"])
  func `an entry written to a replaced file is not acknowledged`(
    _ suffix: String
  ) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let reports = Log<String>()
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    let file = URL(filePath: fixture.path + suffix)
    let bytes = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
    let outcome = await cart.outcome(of: .add(2))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect("\(error)".contains("'\(fixture.path)\(suffix)' has been deleted or replaced"))
    #expect(reports.entries.contains { $0.contains("could not be kept") })
  }

  @Test(arguments: [nil, 40])
  func `with any byte flipped, a journal is refused or right`(
    _ snapshot: Int?
  ) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let items = Array(1...60)
    let whole = try await closedJournal(
      items, snapshot, at: fixture.folder.appending(path: "whole.db").path)
    var (refused, right) = (0, 0)
    let step = max(1, whole.count / TestCounts.damage)
    for (number, offset) in stride(from: 0, to: whole.count, by: step).enumerated() {
      let path = fixture.folder.appending(path: "flipped-\(number).db").path
      var bytes = whole
      bytes[offset] ^= 1 << UInt8(number % 8)
      try bytes.write(to: URL(filePath: path))
      do {
        let journal = try await Journal(.sqlite(at: path))
        let cart = try await journal.open("1") { CartReactor(Log()) }
        let found = await cart.currentState.items
        // Where the flip made its name another one, there is no such journal.
        #expect(found == items || found.isEmpty, "at \(offset)")
        if found.isEmpty { #expect(try await cart.history?.last == 0, "at \(offset)") }
        right += 1
        await cart.stop().settled
      } catch {
        refused += 1
      }
      for ending in ["", "-wal", "-shm", ".owners"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }
    #expect(refused > TestCounts.damage / 20)
    #expect(right > TestCounts.damage / 20)
  }

  /// The bytes of a journal that has been closed in order.
  private func closedJournal(
    _ items: [Int], _ snapshot: Int?, at path: String
  ) async throws -> Data {
    do {
      let journal = try await Journal(
        .sqlite(at: path), options: JournalOptions(snapshotAfter: nil))
      let cart = try await journal.open("1") { CartReactor() }
      for item in items { await cart.send(.add(item)).settled }
      await cart.stop().settled
      if let snapshot {
        try await journal.store.saveSnapshot(
          at: snapshot, of: JournalKey(name: CartReactor.journalName, id: "1"))
      }
    }
    try await SQLiteFile(path).checkpoint()
    return try Data(contentsOf: URL(filePath: path))
  }
}
