import Foundation
import Reactor
import ReactorJournal
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// Hashes of the state beside the entries: they stop what is not deterministic, and nothing else.
@Suite(.bounded) struct StateHashTests {
  private let options = JournalOptions(hashesEvery: 1)

  @Test func `a transient value does not prevent opening a journal`() async throws {
    let journal = try await Journal(.inMemory, options: options)
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.setLoading(true)).settled
    await cart.send(.add(1)).settled
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState == .init(items: [1]))
  }

  /// All that a value may be that says nothing; each is another one.
  private enum Nothing: Encodable, CaseIterable {
    case missing, null, zero, zeroFloat, no, text, list, fields, data, emptySet, listOfNull
    case listOfZero

    private enum Keys: CodingKey { case value }
    private struct Empty: Encodable {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      switch self {
      case .missing: break
      case .null: try container.encodeNil(forKey: .value)
      case .zero: try container.encode(0, forKey: .value)
      case .zeroFloat: try container.encode(0.0, forKey: .value)
      case .no: try container.encode(false, forKey: .value)
      case .text: try container.encode("", forKey: .value)
      case .list: try container.encode([Int](), forKey: .value)
      case .fields: try container.encode(Empty(), forKey: .value)
      case .data: try container.encode(Data(), forKey: .value)
      case .emptySet: try container.encode(Set<Int>(), forKey: .value)
      case .listOfNull: try container.encode([nil as Int?], forKey: .value)
      case .listOfZero: try container.encode([0], forKey: .value)
      }
    }
  }

  @Test func `nil, zero, empty and missing have different hashes`() throws {
    var found: [UInt64: Nothing] = [:]
    for value in Nothing.allCases {
      let other = try found.updateValue(value, forKey: CanonicalHash.of(value))
      #expect(other == nil, "\(value) is taken for \(String(describing: other))")
    }
  }

  @Test func `a reduce that turns nil into zero is found`() async throws {
    let journal = try await Journal(.inMemory, options: options)
    let gauge = try await journal.open("1") { NilGauge() }
    await gauge.send(nil).settled
    await gauge.stop().settled
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { ZeroGauge() }
    }
    guard case .diverged(_, 1, 0) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  // MARK: Versions

  /// A journal that was written under the first version of the state.
  private func shelf() async throws -> Journal {
    let journal = try await Journal(.inMemory, options: options)
    let shelf = try await journal.open("1") { ShelfVersion1() }
    for book in ["Emma", "Dune"] { await shelf.send(book).settled }
    await shelf.stop().settled
    return journal
  }

  @Test func `a state of another version is not compared`() async throws {
    let shelf = try await shelf().open("1") { ShelfVersion2() }
    #expect(await shelf.currentState == .init(books: ["Emma", "Dune"], count: 2))
    await shelf.send("Ulysses").settled
    #expect(await shelf.currentState.count == 3)
  }

  @Test func `within a version, a reduce that has changed is found`() async throws {
    let journal = try await shelf()
    let error = await #expect(throws: JournalError.self) {
      try await journal.open("1") { UppercasingShelf() }
    }
    guard case .diverged(_, 1, 0) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `in a recording, a state of another version is not compared`() async throws {
    let folder = try ScratchDirectory()
    let shelf = try await Journal(.inMemory).open("1") { ShelfVersion1() }
    let recording = Recording(of: shelf, hashesEvery: 1)
    for book in ["Emma", "Dune"] { await shelf.send(book).settled }
    try recording.segment?.write(to: "\(folder.path)/shelf")
    let segment = try RecordedSegment<ShelfVersion2>(contentsOf: "\(folder.path)/shelf")
    #expect(try segment.replay() == .init(books: ["Emma", "Dune"], count: 2))
  }
}

/// What it shows, or nothing.
private actor NilGauge: Reactor, JournaledReactor {
  typealias Action = Int?
  typealias State = [Int?]
  static let journalName = "gauge"
  static let journalVersion = 1
  static let initialState: [Int?] = []
  let pipeline = Pipeline()
  static func reduce(state: inout [Int?], mutation: Int?) { state = [mutation] }
}

/// The same, with a changed `reduce`.
private actor ZeroGauge: Reactor, JournaledReactor {
  typealias Action = Int?
  typealias State = [Int?]
  static let journalName = "gauge"
  static let journalVersion = 1
  static let initialState: [Int?] = []
  let pipeline = Pipeline()
  static func reduce(state: inout [Int?], mutation: Int?) { state = [mutation ?? 0] }
}
