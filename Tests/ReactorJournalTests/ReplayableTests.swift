import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// A `reduce` that makes something else the next time is found, in a second process too.
@Suite(.bounded) struct ReplayableTests {
  @Test func `a journal that reduces to the same state everywhere passes`() async {
    await assertReplayable(CartReactor.self, [.added(1), .added(2), .loading(true), .added(3)])
  }

  @Test func `a state that is a set has one hash in all processes`() async {
    await assertReplayable(TagReactor.self, ["Emma", "Dune", "Ulysses", "Ada", "Emma", "Lolita"])
  }

  @Test func `a random reduce is found in the same process, at its entry`() async throws {
    let texts = await issueTexts {
      await assertReplayable(DiceReactor.self, [false, false, true, false])
    }
    let text = try #require(texts.first)
    #expect(text.contains("the second time, in the same process, from entry 3 on, 'true'"))
  }

  @Test func `a reduce that depends on the hash seed is found in the second process`() async throws
  {
    let texts = await issueTexts {
      await assertReplayable(FirstReactor.self, (1...40).map { "word \($0)" })
    }
    let text = try #require(texts.first)
    #expect(text.contains("in another process, with other hash seeds, from entry"))
  }
}

/// Its state has no order.
actor TagReactor: Reactor, JournaledReactor {
  struct State: Codable, Sendable {
    var tags: Set<String> = []
    var lengths: [Int: Set<String>] = [:]
  }

  typealias Action = String
  static let journalName = "tags"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.tags.insert(mutation)
    state.lengths[mutation.count, default: []].insert(mutation)
  }
}

/// Does what must not be done: looks at hashes, which are others in each process.
actor FirstReactor: Reactor, JournaledReactor {
  struct State: Codable, Sendable {
    var words: Set<String> = []
    var order: [String] = []
  }

  typealias Action = String
  static let journalName = "first"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.words.insert(mutation)
    // All forty of them: on one alone two seeds may well agree.
    state.order = state.words.sorted { $0.hashValue < $1.hashValue }
  }
}
