import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// What was kept by an earlier version of the program, and by a later one.
@Suite(.bounded) struct VersionTests {
  private let key = JournalKey(name: "titles", id: "1")

  /// A journal with such entries.
  private func journal(_ entries: [(version: Int, json: String)]) async throws -> Journal {
    let store = MemoryStore()
    let claim = try await store.take(key)
    let kept = entries.enumerated().map { index, entry in
      JournalEntry(
        sequence: index + 1, version: entry.version, payload: Data(entry.json.utf8), time: Date())
    }
    try await store.append(kept, to: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    return try await Journal(.store(store))
  }

  @Test func `each version takes the steps that it needs, and the bytes stay`() async throws {
    let journal = try await journal([
      (1, #"{"name":"a"}"#), (2, #"{"title":"b"}"#), (3, #"{"count":1,"title":"c"}"#),
    ])
    let titles = try await journal.open("1") { TitlesReactor() }
    #expect(await titles.currentState == ["a 0", "b 0", "c 1"])
    await titles.send(.init(title: "d", count: 4)).settled
    let entries = try await journal.store.entries(of: key, after: 0, limit: 9)
    #expect(entries.map(\.version) == [1, 2, 3, 3])
    #expect(entries[0].payload == Data(#"{"name":"a"}"#.utf8))
  }

  @Test func `a step may turn one entry into several, or none`() async throws {
    let journal = try await journal([
      (2, #"{"title":"split"}"#), (2, #"{"title":"drop"}"#), (2, #"{"title":"c"}"#),
    ])
    let titles = try await journal.open("1") { TitlesReactor() }
    #expect(await titles.currentState == ["split 1", "split 2", "c 0"])
  }

  @Test(arguments: [
    (
      4,
      "entry 1 of titles '1', of version 4, cannot be read, and has been left as it is: "
        + "it is of version 4, and this program knows 3 at most"
    ),
    (
      0,
      "entry 1 of titles '1', of version 0, cannot be read, and has been left as it is: "
        + "there is no upgrade from version 0"
    ),
  ])
  func `a version without a step stops the opening`(_ version: Int, _ text: String) async throws {
    let journal = try await journal([(version, "{}")])
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { TitlesReactor() }
    }
    #expect(error?.description == text)
    // And a further attempt is possible.
    await #expect(throws: JournalError.self) { try await journal.open("1") { TitlesReactor() } }
  }

  // MARK: Hashes

  @Test func `a reduce that is not deterministic is found at its entry`() async throws {
    let journal = try await Journal(.inMemory, options: JournalOptions(hashesEvery: 1))
    let dice = try await journal.open("1") { DiceReactor() }
    for throwing in [false, false, true, false] { await dice.send(throwing).settled }
    await dice.stop().settled
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { DiceReactor() }
    }
    guard case .diverged(_, 3, 2) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `with every third entry hashed, it is found between two entries`() async throws {
    let journal = try await Journal(.inMemory, options: JournalOptions(hashesEvery: 3))
    let dice = try await journal.open("1") { DiceReactor() }
    for number in 1...10 { await dice.send(number == 5).settled }
    await dice.stop().settled
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { DiceReactor() }
    }
    guard case .diverged(_, 6, 3) = error else { return #expect(Bool(false), "\(error)") }
    #expect(
      error?.description.contains("another state after entry 3, and by entry 6, than") == true)
  }
}

/// Its mutations have had two shapes before: `{name}`, then `{title}`.
actor TitlesReactor: Reactor, JournaledReactor {
  struct Mutation: Codable, Sendable {
    let title: String
    let count: Int
  }

  typealias Action = Mutation
  typealias State = [String]

  static let journalName = "titles"
  static let journalVersion = 3
  static let upgrades: JournalUpgrades = [
    1: .json { $0["title"] = $0.removeValue(forKey: "name") },
    2: .splitting { data in
      let old = try JSONDecoder().decode([String: String].self, from: data)
      let counts = old["title"] == "split" ? [1, 2] : old["title"] == "drop" ? [] : [0]
      return try counts.map {
        try JSONEncoder().encode(Mutation(title: old["title"] ?? "", count: $0))
      }
    },
  ]
  static let initialState: [String] = []
  let pipeline = Pipeline()

  static func reduce(state: inout [String], mutation: Mutation) {
    state.append("\(mutation.title) \(mutation.count)")
  }
}

/// Does what must not be done.
actor DiceReactor: Reactor, JournaledReactor {
  typealias Action = Bool
  typealias State = [UInt64]

  static let journalName = "dice"
  static let journalVersion = 1
  static let initialState: [UInt64] = []
  let pipeline = Pipeline()

  static func reduce(state: inout [UInt64], mutation: Bool) {
    state.append(mutation ? UInt64.random(in: 0 ... .max) : 0)
  }
}
