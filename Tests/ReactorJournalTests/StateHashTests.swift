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
    guard case .diverged(_, 1, 0) = error else { return #expect(Bool(false), "\(error)") }
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
