import Reactor
import ReactorComposition
import ReactorJournal
import ReactorJournalTesting
import Synchronization
import TestLimits
import Testing

// What the page Keeping state says of stores that fail, and of taking back, copied by hand.

private actor CartReactor: Reactor, JournaledReactor {
  enum Action { case add(String) }
  enum Mutation: Codable { case added(String) }
  struct State: Codable { var books: [String] = [] }

  static let journalName = "cart"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let book): .just(.added(book))
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let book): state.books.append(book)
    }
  }

  nonisolated func report(_ report: ReactorReport) {}
}

private struct DiskFull: Error {}

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

  /// What had no effect, given the state before it, has nothing to take back.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .added(let item): before.items.contains(item) ? nil : .removed(item)
    case .removed(let item): before.items.contains(item) ? .added(item) : nil
    }
  }
}

private func takeBack(_ list: ShoppingList) async throws -> Bool {
  await list.send(.remove("milk")).settled
  return try await list.undo()  // whether there was a change to take back
}

@Suite(.bounded) struct KeepingStateStoreTests {
  @Test func `a book that could not be kept is not in the cart`() async throws {
    let isFull = Mutex(false)
    let store = FailingStore { entries, key, write in
      if isFull.withLock({ $0 }) { throw DiskFull() }  // nothing is written
      try await write()
    }
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("42") { CartReactor() }
    await cart.send(.add("Emma")).settled

    isFull.withLock { $0 = true }
    #expect(await !cart.outcome(of: .add("Dune")).isFinished)
    #expect(await cart.currentState.books == ["Emma"])
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
