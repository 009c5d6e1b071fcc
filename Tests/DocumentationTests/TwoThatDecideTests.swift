import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The samples under "Requests between two reactors" on the page Resuming work after a crash,
// copied by hand.

private actor OrderReactor: LanedReactor, JournaledReactor {
  enum Action { case order(String), goOn }
  enum Mutation: Codable { case wanted(String, key: UUID), answered(key: UUID, Bool) }
  struct State: Codable, Equatable { var open: [UUID: String] = [:], books: [String] = [] }

  static let journalName = "order"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  let stock: StockReactor

  init(_ stock: StockReactor) { self.stock = stock }

  func lane(for action: Action) -> Lane? { .sequential("order") }

  func recovered() { send(.goOn) }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in
      if case .order(let book) = action {
        await emit(.wanted(book, key: UUID()))
        try await emit.durable()
      }
      for (key, book) in self.currentState.open {
        let isTaken = try await self.stock.ask { .take(book, key: key, $0) }
        await emit(.answered(key: key, isTaken))
      }
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .wanted(let book, let key): state.open[key] = book
    case .answered(let key, let isTaken):
      guard let book = state.open.removeValue(forKey: key), isTaken else { return }
      state.books.append(book)
    }
  }
}

private actor StockReactor: Reactor, JournaledReactor {
  enum Action { case take(String, key: UUID, Reply<Bool>), restock(String) }
  enum Mutation: Codable { case answered(String, key: UUID, Bool), restocked(String) }
  struct State: Codable, Equatable {
    var books: [String: Int] = ["Emma": 3], answers: [UUID: Bool] = [:]
  }

  static let journalName = "stock"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .restock(let book): .just(.restocked(book))
    case .take(let book, let key, let reply):
      .run { emit in
        let state = self.currentState
        let isTaken = state.answers[key] ?? (state.books[book, default: 0] > 0)
        if state.answers[key] == nil { await emit(.answered(book, key: key, isTaken)) }
        reply(isTaken)
      }
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .restocked(let book): state.books[book, default: 0] += 1
    case .answered(let book, let key, let isTaken):
      if isTaken { state.books[book, default: 0] -= 1 }
      state.answers[key] = isTaken
    }
  }
}

/// An order that asks the stock before it is kept what is wanted: without `emit.durable()`.
private actor HastyOrderReactor: Reactor, JournaledReactor {
  typealias Action = String
  typealias Mutation = OrderReactor.Mutation
  typealias State = OrderReactor.State

  static let journalName = OrderReactor.journalName
  static let journalVersion = OrderReactor.journalVersion
  static let initialState = State()
  let pipeline = Pipeline()
  private let stock: StockReactor

  init(_ stock: StockReactor) { self.stock = stock }

  func mutate(action: String) -> MutationStream<Mutation> {
    .run { emit in
      let key = UUID()
      await emit(.wanted(action, key: key))
      let isTaken = try await self.stock.ask { .take(action, key: key, $0) }
      await emit(.answered(key: key, isTaken))
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    OrderReactor.reduce(state: &state, mutation: mutation)
  }
}

@Suite(.bounded) struct TwoThatDecideTests {
  /// The two, on a journal.
  private func open(_ journal: Journal) async throws -> (StockReactor, OrderReactor) {
    let stock = try await journal.open("1") { StockReactor() }
    return (stock, try await journal.open("1") { OrderReactor(stock) })
  }

  /// What a process has on its disk that was killed: so many entries of each.
  private func cut(_ journal: Journal, stock: Int, order: Int) async throws -> Journal {
    let after = try await Journal(.inMemory)
    for (name, count) in [("stock", stock), ("order", order)] {
      let key = JournalKey(name: name, id: "1")
      let entries = try await journal.store.entries(of: key, after: 0, limit: count)
      let claim = try await after.store.take(key)
      try await after.store.append(entries, to: key, epoch: claim.epoch)
      await after.store.release(key, epoch: claim.epoch)
    }
    return after
  }

  @Test(arguments: [(0, 1), (1, 1), (1, 2)])
  func `with a kill anywhere, the book is taken once, and the order has it`(
    _ stock: Int, _ order: Int
  ) async throws {
    let journal = try await Journal(.inMemory)
    let (_, first) = try await open(journal)
    await first.send(.order("Emma")).settled
    #expect(await first.currentState.books == ["Emma"])
    let (shelf, again) = try await open(try await cut(journal, stock: stock, order: order))
    _ = await again.state.first { $0.open.isEmpty && !$0.books.isEmpty }
    #expect(await again.currentState.books == ["Emma"])
    #expect(await shelf.currentState.books == ["Emma": 2])
  }

  /// A store in which one entry of the order waits until the gate is open; it writes all others.
  private func store(holding sequence: Int, at gate: Gate) -> FailingStore<MemoryStore> {
    FailingStore { entries, key, write in
      if key.name == "order", entries.contains(where: { $0.sequence == sequence }) {
        await gate.pass()
      }
      try await write()
    }
  }

  @Test(arguments: [1, 2])
  func `if a kill precedes any entry of the order, nothing is lost or done twice`(
    _ held: Int
  ) async throws {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      let gate = Gate()
      let journal = try await Journal(.store(store(holding: held, at: gate)))
      let (_, order) = try await open(journal)
      order.send(.order("Emma"))
      await simulation.settle()
      #expect(gate.arrivals == 1)
      let (shelf, again) = try await open(try await cut(journal, stock: .max, order: .max))
      await simulation.settle()
      let books = await again.currentState.books
      #expect(books == (held == 1 ? [] : ["Emma"]))
      #expect(await shelf.currentState.books == ["Emma": 3 - books.count])
      gate.open()
    }
  }

  @Test func `an order that does not wait for its entry loses a book`() async throws {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      let gate = Gate()
      let journal = try await Journal(.store(store(holding: 1, at: gate)))
      let stock = try await journal.open("1") { StockReactor() }
      let order = try await journal.open("1") { HastyOrderReactor(stock) }
      order.send("Emma")
      await simulation.settle()
      #expect(gate.arrivals == 1)
      let (shelf, again) = try await open(try await cut(journal, stock: .max, order: .max))
      await simulation.settle()
      #expect(await shelf.currentState.books == ["Emma": 2])
      #expect(await again.currentState == OrderReactor.State())
      gate.open()
    }
  }

  @Test func `what the stock gave is what the order has, with any events in between`() async throws
  {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { _ in
      let (stock, order) = try await open(try await Journal(.inMemory))
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await order.send(.order("Dune")).settled } }
        group.addTask { await stock.send(.restock("Dune")).settled }
      }
      let given = await stock.currentState.answers.values.filter { $0 }.count
      #expect(await order.currentState.books.count == given)
      #expect(await order.currentState.open.isEmpty)
    }
  }

  @Test func `a refusal is stored, also if the book is restocked before the key is used again`()
    async throws
  {
    let (stock, _) = try await open(try await Journal(.inMemory))
    let key = UUID()
    #expect(try await stock.ask { .take("Dune", key: key, $0) } == false)
    await stock.send(.restock("Dune")).settled
    #expect(try await stock.ask { .take("Dune", key: key, $0) } == false)
    #expect(await stock.currentState.books["Dune"] == 1)
  }

  @Test func `an order asks the stock once, however often it continues meanwhile`() async throws {
    let (stock, order) = try await open(try await Journal(.inMemory))
    let takes = stock.actions { if case .take = $0 { true } else { false } }
    let sent = [order.send(.order("Emma")), order.send(.goOn), order.send(.goOn)]
    for receipt in sent { await receipt.settled }
    await stock.stop().settled
    var count = 0
    for await _ in takes { count += 1 }
    #expect(count == 1)
  }

  @Test func `a refusal is an answer: the order is not open any more`() async throws {
    let (_, order) = try await open(try await Journal(.inMemory))
    await order.send(.order("Dune")).settled
    #expect(await order.currentState == OrderReactor.State())
  }
}
