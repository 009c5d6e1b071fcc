import Foundation
import Reactor
import ReactorJournal
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
  static let journalVersion = 1
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

/// Records the number of entries in the journal at each payment.
private actor WatchfulBank: Bank {
  private let journal: Journal
  private(set) var entriesAtPayment: [Int] = []

  init(_ journal: Journal) { self.journal = journal }

  func pay(_ id: Int) async throws {
    entriesAtPayment.append(try await journal.history("1", of: TillReactor.self).last)
  }
}

@Suite(.bounded) struct KeepingStateTests {
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
