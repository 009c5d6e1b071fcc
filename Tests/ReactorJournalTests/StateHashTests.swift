import Reactor
import ReactorJournal
import TerminalTesting
import TestSupport
import Testing

/// Hashes of the state beside the entries: they stop what is not deterministic, and nothing else.
@Suite struct StateHashTests {
  private let options = JournalOptions(hashesEvery: 1)

  @Test func `what is not kept does not keep a journal from being opened`() async throws {
    let journal = try await Journal(.inMemory, options: options)
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.setLoading(true)).settled
    await cart.send(.add(1)).settled
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState == .init(items: [1]))
  }

  // MARK: Versions

  /// A journal that was written under the first version of the state.
  private func shelf() async throws -> Journal {
    let journal = try await Journal(.inMemory, options: options)
    let shelf = try await journal.open("1") { FirstShelf() }
    for book in ["Emma", "Dune"] { await shelf.send(book).settled }
    await shelf.stop().settled
    return journal
  }

  @Test func `a state of another version is not compared`() async throws {
    let shelf = try await shelf().open("1") { SecondShelf() }
    #expect(await shelf.currentState == .init(books: ["Emma", "Dune"], count: 2))
    await shelf.send("Ulysses").settled
    #expect(await shelf.currentState.count == 3)
  }

  @Test func `within a version, a reduce that has changed is found`() async throws {
    let journal = try await shelf()
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { ShoutingShelf() }
    }
    guard case .diverged(_, 1) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `nor is one of another version in a recording`() async throws {
    let folder = try ScratchDirectory()
    let shelf = try await Journal(.inMemory).open("1") { FirstShelf() }
    let recording = Recording(of: shelf, hashesEvery: 1)
    for book in ["Emma", "Dune"] { await shelf.send(book).settled }
    try recording.stretch?.write(to: "\(folder.path)/shelf")
    let stretch = try RecordedStretch<SecondShelf>(contentsOf: "\(folder.path)/shelf")
    #expect(try stretch.replay() == .init(books: ["Emma", "Dune"], count: 2))
  }
}

/// One reactor as its author changes it: what is kept of these has one name.
private protocol ShelfOfAnAge: JournaledReactor where Action == String, Mutation == String {}
extension ShelfOfAnAge {
  static var journalName: String { "shelf" }
  static var journalVersion: Int { 1 }
}

private actor FirstShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  struct State: Codable, Sendable, Equatable { var books: [String] = [] }
  typealias Action = String
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) { state.books.append(mutation) }
}

/// Its state has one field more, and it says so.
private actor SecondShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  struct State: Codable, Sendable, Equatable { var books: [String] = [], count = 0 }
  typealias Action = String
  static let snapshotVersion = 2
  static let snapshotUpgrades: JournalUpgrades = [1: .json { $0["count"] = 0 }]
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.books.append(mutation)
    state.count += 1
  }
}

/// Its `reduce` makes something else, and no version says so.
private actor ShoutingShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  typealias Action = String
  typealias State = FirstShelf.State
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.books.append(mutation.uppercased())
  }
}
