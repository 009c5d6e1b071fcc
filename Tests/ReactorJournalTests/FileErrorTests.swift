import Foundation
import GRDB
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// A file that cannot be used: one line, which names it and says what would do.
@Suite(.bounded) struct FileErrorTests {
  private let key = JournalKey(name: "cart", id: "1")

  /// What is said as a store is opened.
  private func refusal(of path: String) async -> String? {
    await #expect(throws: JournalError.self) { try await SQLiteStore(path: path) }?.description
  }

  @Test func `an empty path is refused as empty`() async {
    #expect(
      await refusal(of: "")
        == "the journal in '' cannot be used: the path is empty: give that of a file, or use "
        + ".inMemory")
  }

  @Test func `a path of a folder is refused as a folder`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let path = fixture.folder.path
    #expect(
      await refusal(of: path)
        == "the journal in '\(path)' cannot be used: '\(path)' is a folder: give the path of a "
        + "file, such as one in it")
  }

  @Test func `a file in a missing folder is refused, and the folder is not created`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let folder = fixture.folder.appending(path: "none").path
    #expect(
      await refusal(of: folder + "/a.db")
        == "the journal in '\(folder)/a.db' cannot be used: the folder '\(folder)' does not exist: "
        + "make it first, or give another path")
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `a file in something that is no folder is refused`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let path = fixture.path + "/a.db"
    #expect(
      await refusal(of: path)
        == "the journal in '\(path)' cannot be used: '\(fixture.path)' is no folder: give another "
        + "path")
  }

  @Test func `special files, and a name that is too long, are refused`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let pipe = fixture.folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(
      await refusal(of: pipe)
        == "the journal in '\(pipe)' cannot be used: '\(pipe)' is neither a file nor a folder: "
        + "give the path of a file")
    let long = fixture.folder.appending(path: String(repeating: "a", count: 300)).path
    #expect(
      await refusal(of: long)
        == "the journal in '\(long)' cannot be used: there is no '\(long)': File name too long; "
        + "give another path")
  }

  @Test func `links that lead nowhere are refused`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let link = fixture.folder.appending(path: "link").path
    #expect(symlink(fixture.folder.path + "/none/a.db", link) == 0)
    #expect(
      await refusal(of: link)
        == "the journal in '\(link)' cannot be used: '\(link)' is a link into a folder that does "
        + "not exist: make it first, or give another path")
    let ring = fixture.folder.appending(path: "ring").path
    #expect(symlink(ring, ring) == 0)
    #expect(
      await refusal(of: ring)
        == "the journal in '\(ring)' cannot be used: there is no '\(ring)': Too many levels of "
        + "symbolic links; give another path")
  }

  @Test func `an error has the same text as a localized one`() async throws {
    let error = await #expect(throws: JournalError.self) { try await SQLiteStore(path: "") }
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func `opening a reactor names the file that can no longer be written`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let journal = try await Journal(.store(store))
    // Answered as a file is that may only be read, also to root.
    try await store.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { CartReactor() }
    }
    #expect(
      error?.description
        == "the journal in '\(fixture.path)' cannot be used: '\(fixture.path)' may not be written: "
        + "attempt to write a readonly database; let this process write it, or give another path")
  }

  /// All that a store can be asked, of a journal that this one has.
  enum Question: CaseIterable {
    case take, move, append, save, deleteEntries, deleteSnapshots, entries, extent, ids, snapshot

    /// Whether an error leaves it open what has been written.
    var isWriting: Bool { [.append, .save, .deleteEntries, .deleteSnapshots].contains(self) }

    func ask(_ store: SQLiteStore, of key: JournalKey, epoch: Int) async throws {
      let entry = JournalEntry(sequence: 1, version: 1, payload: Data(), time: Date())
      let snapshot = JournalSnapshot(sequence: 1, version: 1, payload: Data())
      switch self {
      case .take: _ = try await store.take(JournalKey(name: key.name, id: "other"))
      case .move: try await store.move(key, to: "other")
      case .append: try await store.append([entry], to: key, epoch: epoch)
      case .save: try await store.save(snapshot, of: key, epoch: epoch)
      case .deleteEntries: try await store.deleteEntries(of: key, through: 1, epoch: epoch)
      case .deleteSnapshots: try await store.deleteSnapshots(of: key, through: 1, epoch: epoch)
      case .entries: _ = try await store.entries(of: key, after: 0, limit: 9)
      case .extent: _ = try await store.extent(of: key)
      case .ids: _ = try await store.ids(of: key.name, after: nil, limit: 9)
      case .snapshot: _ = try await store.snapshot(of: key, through: 9)
      }
    }
  }

  @Test(arguments: Question.allCases)
  func `for any SQLite error the file is named, and the error is none of SQLite's`(
    _ question: Question
  ) async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let claim = try await store.take(key)
    try await SQLiteFile(fixture.path).execute("DROP TABLE journal_owner")
    let error = try #require(
      await #expect(throws: (any Error).self) {
        try await question.ask(store, of: key, epoch: claim.epoch)
      })
    let told = "SQLite says of '\(fixture.path)': no such table: journal_owner"
    if question.isWriting {
      // Of a writing it is not known then what came of it, which a JournalError would say.
      #expect(!(error is JournalError || error is DatabaseError))
      #expect("\(error)" == told)
    } else {
      #expect(error is JournalError)
      #expect("\(error)" == "the journal in '\(fixture.path)' cannot be used: \(told)")
    }
  }

  @Test func `a write that fails is reported where the file cannot be read either`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor(Log()) }
    try await SQLiteFile(fixture.path).execute("DROP TABLE journal_owner")
    let outcome = await cart.outcome(of: .add(1))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(
      "\(error)"
        == "the store of cart '1' failed: SQLite says of '\(fixture.path)': no such table: "
        + "journal_owner")
  }
}
