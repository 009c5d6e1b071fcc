import Reactor
import ReactorJournal
import ReactorJournalTesting
import Synchronization
import TestLimits
import Testing

// The sample of a store that fails on the page Keeping state, copied by hand.

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

@Suite(.bounded) struct KeepingStateStoreTests {
  @Test func `a book that could not be stored is not in the cart`() async throws {
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
}
