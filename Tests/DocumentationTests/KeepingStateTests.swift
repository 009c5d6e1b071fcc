import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import Testing

// What stands on the page Keeping state, copied by hand.

private actor CartReactor: Reactor, JournaledReactor {
  enum Action: Codable { case add(String), checkOut }
  enum Mutation: Codable { case added(String), checkedOut }
  struct State: Codable { var books: [String] = [], isPaid = false }

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
    entriesAtPayment.append(try await journal.history(of: TillReactor.self, "1").last)
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

struct KeepingStateTests {
  @Test func `every cart that was ever kept can be read`() {
    assertGoldenJournal(
      of: CartReactor.self, mutations: [.added("Emma"), .checkedOut],
      states: [CartReactor.State(books: ["Emma"])])
  }

  @Test func `carts are made again as they were`() async {
    await assertReplayable(CartReactor.self, [.added("Emma"), .added("Dune"), .checkedOut])
  }

  @Test func `what was recorded of a cart is replayed elsewhere`() async throws {
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
    let history = journal.history(of: CartReactor.self, "42")
    #expect(try await history.state(at: 1).books == ["Dune"])
  }

  @Test func `a payment is begun on the disk before it is made`() async throws {
    let journal = try await Journal(.inMemory)
    let bank = WatchfulBank(journal)
    let till = try await journal.open("1") { TillReactor(bank: bank) }
    await till.send(.pay(7)).settled
    #expect(await bank.entriesAtPayment == [1])
    #expect(await till.currentState == [7])
  }
}
