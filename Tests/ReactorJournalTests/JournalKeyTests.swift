import Foundation
import Reactor
import ReactorJournal
import Testing

/// What a reactor may be called.
@Suite(.timeLimit(.minutes(20))) struct JournalKeyTests {
  @Test(arguments: StoreKind.allCases)
  func `an identifier with a NUL in it is refused before anything is made`(
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
    #expect(try await journal.history(of: CartReactor.self, "a").last == 1)
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
}
