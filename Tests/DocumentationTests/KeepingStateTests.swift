import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import ReactorTesting
import Testing
import TestLimits

// The samples of the page Keeping state, copied by hand.

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

private func buy(_ book: String, at path: String) async throws {
  let journal = try await Journal(.sqlite(at: path))
  let cart = try await journal.open("42") { CartReactor() }
  await cart.send(.add(book)).settled
}

private protocol Bank: Sendable {
  func pay(_ id: Int) async throws
}

private actor TillReactor: Reactor, JournaledReactor {
  enum Action { case pay(Int) }
  enum Mutation: Codable { case paymentBegun(Int), paid(Int) }
  typealias State = [Int]

  static let journalName = "till"
  static let journalVersion = 2
  static let upgrades: JournalUpgrades = [
    1: .json { $0["title"] = $0.removeValue(forKey: "name") }
  ]
  static let initialState: [Int] = []
  let pipeline = Pipeline()
  let bank: any Bank

  init(bank: any Bank) { self.bank = bank }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .pay(let id): pay(id)
    }
  }

  static func reduce(state: inout [Int], mutation: Mutation) {
    if case .paid(let id) = mutation { state.append(id) }
  }

  func pay(_ id: Int) -> MutationStream<Mutation> {
    .run { [bank] emit in
      await emit(.paymentBegun(id))
      try await emit.durable()
      try await bank.pay(id)
      await emit(.paid(id))
    }
  }
}

/// Looks, when it is to pay, what the journal has.
private actor WatchfulBank: Bank {
  private let journal: Journal
  private(set) var entriesAtPayment: [Int] = []

  init(_ journal: Journal) { self.journal = journal }

  func pay(_ id: Int) async throws {
    entriesAtPayment.append(try await journal.history("1", of: TillReactor.self).last)
  }
}

private func record(_ cart: CartReactor, to path: String) async throws {
  let recording = Recording(of: cart, atMost: 1_000_000)
  await cart.send(.add("Emma")).settled
  try recording.stretch?.write(to: path)
}

private func look(at path: String) throws -> [String] {
  let stretch = try RecordedStretch<CartReactor>(contentsOf: path)
  return try stretch.replay().books
}

private func salvage(_ journal: Journal, before damaged: Int) async throws -> CartReactor.State {
  try await journal.setAside("42", of: CartReactor.self, as: "42-damaged")
  return try await journal.history("42-damaged", of: CartReactor.self).state(at: damaged - 1)
}

private func look(into journal: Journal, and cart: CartReactor) async throws -> CartReactor.State? {
  let history = journal.history("42", of: CartReactor.self)
  for try await change in history.changes() {
    print(change.sequence, change.time, change.mutations)
  }
  for try await id in journal.ids(of: CartReactor.self) {
    print(id)  // of each cart of which something is kept
  }
  let last = try await history.last
  return try await cart.history?.state(at: last - 1)  // before the last change
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

@Suite(.bounded) struct KeepingStateTests {
  @Test func `every cart that was ever kept can be read`() {
    assertGoldenJournal(
      of: CartReactor.self, mutations: [.added("Emma"), .checkedOut],
      states: [CartReactor.State(books: ["Emma"])])
  }

  @Test func `carts are restored as they were`() async {
    await assertReplayable(CartReactor.self, [.added("Emma"), .added("Dune"), .checkedOut])
  }

  @Test func `a book is put into the cart`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(CartReactor(), in: simulation)
      await test.send(.add("Emma")) { $0.books = ["Emma"] }
      await test.finish()
    }
  }

  @Test func `a cart has its books after a restart`() async throws {
    try await simulate { simulation in
      let journal = try await Journal(.inMemory, options: JournalOptions(clock: simulation.clock))
      let cart = try await journal.open("42") { CartReactor() }
      await cart.send(.add("Emma")).settled
      await cart.stop().settled

      let again = try await journal.open("42") { CartReactor() }
      #expect(await again.currentState.books == ["Emma"])
    }
  }

  @Test func `an older journal is read, and what was set aside as well`() async throws {
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("42") { CartReactor() }
    for book in ["Emma", "Dune"] { await cart.send(.add(book)).settled }
    #expect(try await look(into: journal, and: cart)?.books == ["Emma"])
    await cart.stop().settled
    #expect(try await salvage(journal, before: 2).books == ["Emma"])
    let again = try await journal.open("42") { CartReactor() }
    #expect(await again.currentState.books == [])
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

  @Test func `a recording of a cart is replayed elsewhere`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).recording").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cart = try await Journal(.inMemory).open("1") { CartReactor() }
    await cart.send(.add("Dune")).settled
    try await record(cart, to: path)
    #expect(try look(at: path) == ["Dune", "Emma"])
  }

  @Test func `a cart has its books when it is opened again`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("cart-\(UUID().uuidString).db").path
    defer {
      for ending in ["", "-wal", "-shm", ".owners"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }
    try await buy("Dune", at: path)
    let journal = try await Journal(.sqlite(at: path))
    let history = journal.history("42", of: CartReactor.self)
    #expect(try await history.state(at: 1).books == ["Dune"])
  }

  @Test func `a payment is on disk as begun before it is made`() async throws {
    let journal = try await Journal(.inMemory)
    let bank = WatchfulBank(journal)
    let till = try await journal.open("1") { TillReactor(bank: bank) }
    await till.send(.pay(7)).settled
    #expect(await bank.entriesAtPayment == [1])
    #expect(await till.currentState == [7])
  }
}
