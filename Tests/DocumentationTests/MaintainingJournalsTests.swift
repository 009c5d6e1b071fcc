import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import TestLimits
import Testing

// The samples of the page Maintaining journals, copied by hand.

private actor CartReactor: Reactor, JournaledReactor {
  enum Action: Codable { case add(String), checkOut }
  enum Mutation: Codable { case added(String), checkedOut }
  struct State: Codable, Equatable { var books: [String] = [], isPaid = false }

  static let journalName = "cart"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let book): .just(.added(book))
    case .checkOut: .just(.checkedOut)
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let book): state.books.append(book)
    case .checkedOut: state.isPaid = true
    }
  }
}

private func salvage(_ journal: Journal, before damaged: Int) async throws -> CartReactor.State {
  try await journal.setAside("42", of: CartReactor.self, as: "42-damaged")
  return try await journal.history("42-damaged", of: CartReactor.self).state(at: damaged - 1)
}

/// Its first version had a mutation with a field `name`.
private actor BookReactor: Reactor, JournaledReactor {
  typealias Action = String
  struct Mutation: Codable { let title: String }
  typealias State = [String]

  static let journalName = "book"
  static let journalVersion = 2
  static let upgrades: JournalUpgrades = [
    1: .json { $0["title"] = $0.removeValue(forKey: "name") }
  ]
  static let initialState: [String] = []
  let pipeline = Pipeline()

  func mutate(action: String) -> MutationStream<Mutation> { .just(Mutation(title: action)) }

  static func reduce(state: inout [String], mutation: Mutation) { state.append(mutation.title) }
}

private actor LockerReactor: Reactor, JournaledReactor {
  enum Action { case deposit(Int, phone: String, owner: String) }
  enum Mutation: Codable { case deposited(slot: Int, phone: Sealed<String>) }
  typealias State = [Int: Sealed<String>]

  static let journalName = "locker"
  static let journalVersion = 1
  static let initialState: State = [:]
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .deposit(let slot, let phone, let owner):
      .just(.deposited(slot: slot, phone: Sealed(phone, for: owner)))
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .deposited(let slot, let phone): state[slot] = phone
    }
  }
}

private func open(at path: String, _ keys: some SubjectKeys) async throws -> LockerReactor {
  let journal = try await Journal(.sqlite(at: path), codec: JSONJournalCodec(subjects: keys))
  return try await journal.open("A") { LockerReactor() }
}

/// A cipher that is good for a test: each byte and one of the key.
private final class Keys: SubjectKeys {
  private let keys = Guarded<[String: UInt8]>([:])

  func seal(_ data: Data, for subject: String) throws -> Data {
    let key = keys.withLock { keys in
      let key = keys[subject] ?? UInt8(100 + keys.count)
      keys[subject] = key
      return key
    }
    return Data(data.map { $0 ^ key })
  }

  func open(_ data: Data, for subject: String) throws -> Data? {
    keys.withLock { $0[subject] }.map { key in Data(data.map { $0 ^ key }) }
  }

  func forget(_ subject: String) { keys.withLock { $0[subject] = nil } }
}

@Suite(.bounded) struct MaintainingJournalsTests {
  @Test func `an entry of the first version is upgraded when it is read`() async throws {
    let journal = try await Journal(.inMemory)
    let key = JournalKey(name: BookReactor.journalName, id: "1")
    let claim = try await journal.store.take(key)
    let entry = JournalEntry(
      sequence: 1, version: 1, payload: Data(#"{"name":"Emma"}"#.utf8),
      time: Date(timeIntervalSince1970: 0))
    try await journal.store.append([entry], to: key, epoch: claim.epoch)
    await journal.store.release(key, epoch: claim.epoch)

    let books = try await journal.open("1") { BookReactor() }
    await books.send("Dune").settled
    #expect(await books.currentState == ["Emma", "Dune"])
    await books.stop().settled
  }

  @Test func `every cart that was ever stored can be read`() {
    assertGoldenJournal(
      of: CartReactor.self, mutations: [.added("Emma"), .checkedOut],
      states: [CartReactor.State(books: ["Emma"])])
  }

  @Test func `carts are restored as they were`() async {
    await assertReplayable(CartReactor.self, [.added("Emma"), .added("Dune"), .checkedOut])
  }

  @Test func `a cart that was set aside can be read, and a new one is empty`() async throws {
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("42") { CartReactor() }
    for book in ["Emma", "Dune"] { await cart.send(.add(book)).settled }
    await cart.stop().settled
    #expect(try await salvage(journal, before: 2).books == ["Emma"])
    let again = try await journal.open("42") { CartReactor() }
    #expect(await again.currentState.books == [])
    await again.stop().settled
  }

  @Test func `a phone number whose key is deleted is removed at the next opening`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("locker-\(UUID().uuidString).db").path
    defer {
      for ending in ["", "-wal", "-shm", ".owners"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }
    let keys = Keys()
    let locker = try await open(at: path, keys)
    await locker.send(.deposit(1, phone: "555-1", owner: "Ada")).settled
    await locker.send(.deposit(2, phone: "555-2", owner: "Ben")).settled
    await locker.stop().settled
    keys.forget("Ada")
    let again = try await open(at: path, keys)
    #expect(await again.currentState.mapValues(\.value) == [1: nil, 2: "555-2"])
    await again.stop().settled
  }
}
