import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// Opening: the state is made of what is kept, and nothing else happens.
@Suite(.bounded) struct RecoveryTests {
  @Test(arguments: [StoreKind.memory, .sqlite])
  func `a reactor is as it was when it is opened again`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("42") { CartReactor() }
    for item in 1...2_500 { cart.send(.add(item)) }
    await cart.send(.add(0)).settled
    await cart.stop().settled
    let again = try await journal.open("42") { CartReactor() }
    #expect(await again.currentState.items == Array(1...2_500) + [0])
    let other = try await journal.open("43") { CartReactor() }
    #expect(await other.currentState.items == [])
  }

  @Test func `a second opener is refused until the first has ended`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    // As another process would: by a connection and a lock file of its own.
    let elsewhere = try await Journal(.sqlite(at: fixture.path))
    let cart = try await journal.open("42") { CartReactor() }
    for other in [journal, elsewhere] {
      let error = await #expect(throws: JournalError.self) {
        try await other.open("42") { CartReactor() }
      }
      #expect(
        error?.description
          == "the journal of cart '42' is open already, in this process or another: end that one "
          + "first")
    }
    await cart.send(.add(1)).settled
    await cart.stop().settled
    let again = try await elsewhere.open("42") { CartReactor() }
    #expect(await again.currentState.items == [1])
  }

  @Test(arguments: StoreKind.allCases)
  func `an opening that is cancelled releases the journal`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let opening = Task {
      try await journal.open("1") {
        withUnsafeCurrentTask { $0?.cancel() }
        return CartReactor()
      }
    }
    // A store that does not look whether it is cancelled comes to an end all the same.
    if case .success(let cart) = await opening.result { await cart.stop().settled }
    let again = try await journal.open("1") { CartReactor() }
    await again.send(.add(1)).settled
    #expect(await again.currentState.items == [1])
  }

  @Test func `a journal that cannot be read any more is released`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.store(fixture.store))
    let cart = try await journal.open("1") { CartReactor() }
    let file = try SQLiteFile(fixture.path)
    try await file.execute("UPDATE journal_owner SET last = 'many'")
    await cart.stop().settled
    try await file.execute("UPDATE journal_owner SET last = 0")
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == [])
  }

  @Test func `a writer that was thought dead can no longer write`() async throws {
    let store = MemoryStore()
    let reports = Log<String>()
    let journal = try await Journal(.store(store))
    let old = try await journal.open("1") { CartReactor(reports) }
    await old.send(.add(1)).settled
    await store.releaseAll()
    let new = try await journal.open("1") { CartReactor() }
    await old.send(.add(2)).settled
    #expect(reports.entries.contains { $0.contains("has been taken over by another writer") })
    #expect(await old.currentState.items == [1])
    await new.send(.add(3)).settled
    #expect(await new.currentState.items == [1, 3])
  }

  @Test func `recovered is called once, with the state, before the first action`() async throws {
    let journal = try await Journal(.inMemory)
    let one = try await journal.open("1") { OpeningReactor() }
    await one.send("a").settled
    await one.stop().settled
    let two = try await journal.open("1") { OpeningReactor() }
    await two.send("b").settled
    #expect(await two.currentState == ["recovered []", "a", "recovered 2", "b"])
  }

  @Test func `a restart stops a journaled reactor, with what to do instead`() async throws {
    let reports = Log<String>()
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    await cart.restart()
    let text =
      "the restart was refused: no journal has the reactor open; open it with journal.open(_:_:)"
    #expect(reports.entries.contains { $0.hasSuffix(text) })
    #expect(cart.send(.add(2)).isRefused)
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == [1])
  }

  @Test func `an entry that cannot be decoded stops the opening, is named, and remains`()
    async throws
  {
    let store = MemoryStore()
    let key = JournalKey(name: "cart", id: "1")
    let claim = try await store.take(key)
    let bad = JournalEntry(
      sequence: 1, version: 1, payload: Data(#"{"bought":{}}"#.utf8), time: Date())
    try await store.append([bad], to: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    let journal = try await Journal(.store(store))
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { CartReactor() }
    }
    let beginning = "entry 1 of cart '1', of version 1, cannot be read"
    #expect(error?.description.hasPrefix(beginning) == true)
    #expect(await store.entries(of: key, after: 0, limit: 9) == [bad])
  }
}

/// What observers receive of a reactor that is opened and not used.
@Suite(.bounded) struct ObservedOpeningTests {
  private actor Shelf: Reactor, JournaledReactor {
    typealias Action = String
    typealias State = [String]
    static let journalName = "shelf"
    static let journalVersion = 1
    static let initialState: [String] = []
    let pipeline = Pipeline()

    static func reduce(state: inout [String], mutation: String) { state.append(mutation) }
  }

  private struct Starts: ReactorObserver {
    let states = Log<[String]>()

    func observe(_ step: ReactorStep) {
      if case .started(let state as [String]) = step.kind { states.append(state) }
    }
  }

  @Test func `a reactor has started when it is opened, with the stored state`() async throws {
    let journal = try await Journal(.inMemory)
    let shelf = try await journal.open("1") { Shelf() }
    await shelf.send("Emma").settled
    await shelf.stop().settled
    let starts = Starts()
    let registration = ReactorObservers.add(starts, toAll: Shelf.self)
    defer { registration.remove() }
    let again = try await journal.open("1") { Shelf() }
    #expect(starts.states.entries == [["Emma"]])
    await again.send("Dune").settled
    #expect(starts.states.entries.count == 1)
  }
}

/// Says in its state when it was recovered.
actor OpeningReactor: Reactor, JournaledReactor {
  typealias Action = String
  typealias State = [String]
  static let journalName = "opening"
  static let journalVersion = 1
  static let initialState: [String] = []
  let pipeline = Pipeline()

  static func reduce(state: inout [String], mutation: String) { state.append(mutation) }

  func recovered() {
    let state = currentState
    send(state.isEmpty ? "recovered []" : "recovered \(state.count)")
  }
}
