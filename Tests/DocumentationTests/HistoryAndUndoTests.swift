import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import TestLimits
import Testing

// The samples of the page History and undo, copied by hand.

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

private func look(into journal: Journal, and cart: CartReactor) async throws -> CartReactor.State? {
  let history = journal.history("42", of: CartReactor.self)
  for try await change in history.changes() {
    print(change.sequence, change.time, change.mutations)
  }
  for try await id in journal.ids(of: CartReactor.self) {
    print(id)  // of each cart that is stored
  }
  let last = try await history.last
  return try await cart.history?.state(at: last - 1)  // before the last change
}

private actor ShoppingList: Reactor, UndoableReactor {
  enum Action: Codable { case add(String), remove(String), undo }
  enum Mutation: Codable { case added(String), removed(String) }
  struct State: Codable, Equatable { var items: Set<String> = [] }

  static let journalName = "shopping list"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let item): .just(.added(item))
    case .remove(let item): .just(.removed(item))
    case .undo: .run { _ in try await self.undo() }
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let item): state.items.insert(item)
    case .removed(let item): state.items.remove(item)
    }
  }

  /// A mutation that had no effect on the state before it needs no undo.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .added(let item): before.items.contains(item) ? nil : .removed(item)
    case .removed(let item): before.items.contains(item) ? .added(item) : nil
    }
  }
}

private func takeBack(_ list: ShoppingList) async throws -> Bool {
  await list.send(.remove("milk")).settled
  return try await list.undo()  // whether there was a change to undo
}

private func record(_ cart: CartReactor, to path: String) async throws {
  let recording = Recording(of: cart, atMost: 1_000_000)
  await cart.send(.add("Emma")).settled
  try recording.segment?.write(to: path)
}

private func look(at path: String) throws -> [String] {
  let segment = try RecordedSegment<CartReactor>(contentsOf: path)
  return try segment.replay().books
}

@Suite(.bounded) struct HistoryAndUndoTests {
  @Test func `the history has the state before the last change`() async throws {
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("42") { CartReactor() }
    for book in ["Emma", "Dune"] { await cart.send(.add(book)).settled }
    #expect(try await look(into: journal, and: cart)?.books == ["Emma"])
    await cart.stop().settled
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

  @Test func `a removal from the list is undone`() async throws {
    let list = try await Journal(.inMemory).open("1") { ShoppingList() }
    await list.send(.add("milk")).settled
    #expect(try await takeBack(list))
    #expect(await list.currentState.items == ["milk"])
    await list.stop().settled
  }

  @Test func `an action that changed nothing is skipped`() async throws {
    let list = try await Journal(.inMemory).open("1") { ShoppingList() }
    for item in ["milk", "milk"] { await list.send(.add(item)).settled }
    try await list.undo()
    #expect(await list.currentState.items == [])
    await list.stop().settled
  }

  @Test func `undo reverts the action before it`() async throws {
    let list = try await Journal(.inMemory).open("1") { ShoppingList() }
    for action in [ShoppingList.Action.add("milk"), .add("bread"), .undo] {
      #expect(await list.outcome(of: action) == .finished)
    }
    #expect(await list.currentState.items == ["milk"])
    await list.stop().settled
  }

  @Test func `in a registry, an undo is made with the reactor`() async throws {
    let journal = try await Journal(.inMemory)
    let lists = ReactorRegistry<String, ShoppingList>(idle: nil) { id in
      try await journal.open(id) { ShoppingList() }
    }
    _ = try await lists["1"].outcome(of: .add("milk"))
    #expect(try await lists.with("1") { try await $0.undo() })
    #expect(try await lists.with("1") { await $0.currentState.items } == [])
    await lists.drain()
  }
}
