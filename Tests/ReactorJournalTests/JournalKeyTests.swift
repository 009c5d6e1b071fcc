import Foundation
import Reactor
import ReactorJournal
import Testing
import TestLimits

/// What a reactor may be called, and in how many ways that can be written.
@Suite(.bounded) struct JournalKeyTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test(arguments: StoreKind.allCases)
  func `an identifier with a NUL in it is refused before anything is created`(
    _ kind: StoreKind
  ) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let error = await #expect(throws: JournalError.self) {
      _ = try await journal.open("a\0b") {
        Issue.record("a reactor was made")
        return CartReactor()
      }
    }
    #expect(
      error?.description
        == #"no journal can be called "cart" "a\0b": take the NUL out of its name or identifier"#)
  }

  @Test(arguments: StoreKind.allCases)
  func `a journal is not set aside under an identifier with a NUL in it`(
    _ kind: StoreKind
  ) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("a") { CartReactor() }
    await cart.send(.add(1)).settled
    await cart.stop().settled
    let error = await #expect(throws: JournalError.self) {
      try await journal.setAside("a", of: CartReactor.self, as: "b\0")
    }
    #expect(error?.description.contains(#""b\0""#) == true)
    #expect(try await journal.history("a", of: CartReactor.self).last == 1)
  }

  @Test(arguments: [("ca\0rt", "1"), ("cart", "1\0")])
  func `no statement of SQLite cuts a key short`(_ name: String, _ id: String) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let (store, key) = (fixture.store, JournalKey(name: name, id: id))
    await #expect(throws: JournalError.self) { _ = try await store.take(key) }
    await #expect(throws: JournalError.self) { _ = try await store.extent(of: key) }
    let file = try SQLiteFile(fixture.path)
    #expect(try await file.rows("SELECT * FROM journal_owner").isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `two ways to write one identifier are one journal`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open(composed) { CartReactor() }
    await cart.send(.add(1)).settled
    await #expect(throws: JournalError.self) {
      _ = try await journal.open(decomposed) { CartReactor() }
    }
    await cart.stop().settled
    let again = try await journal.open(decomposed) { CartReactor() }
    #expect(await again.currentState.items == [1])
    await again.stop().settled
  }

  @Test(arguments: ["caf\u{E9}", "cafe\u{301}"])
  func `entries under a decomposed identifier are found`(_ id: String) async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("cafe") { CartReactor() }
    await cart.send(.add(1)).settled
    await cart.stop().settled
    // As it was before there was one form.
    let file = try SQLiteFile(fixture.path)
    try await file.execute("UPDATE journal_owner SET id = id || char(769)")
    let again = try await journal.open(id) { CartReactor() }
    #expect(await again.currentState.items == [1])
    await again.send(.add(2)).settled
    #expect(try await again.history?.last == 2)
    let other = try await Journal(.sqlite(at: fixture.path))
    await #expect(throws: JournalError.self) { _ = try await other.open(id) { CartReactor() } }
    await again.stop().settled
    #expect(try await fixture.store.ids(of: "cart", after: nil, limit: 9).count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `a journal is not set aside over one that is written in another way`(
    _ kind: StoreKind
  ) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    for id in ["1", composed] {
      let cart = try await journal.open(id) { CartReactor() }
      await cart.send(.add(1)).settled
      await cart.stop().settled
    }
    let error = await #expect(throws: JournalError.self) {
      try await journal.setAside("1", of: CartReactor.self, as: decomposed)
    }
    #expect(error?.description.contains("there is a journal of cart 'café' already") == true)
  }
}
