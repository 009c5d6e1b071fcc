import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// What is recorded of a reactor, replayed and turned into a test.
@Suite(.bounded) struct RecordingTests {
  /// A kettle that is used for a while, and what was recorded of it.
  private func record(
    atMost bytes: Int = 1_000_000, hashesEvery: Int = 1, _ seen: Log<KettleReactor.State>? = nil,
    whole: Log<RecordedSegment<KettleReactor>>? = nil
  ) async throws -> RecordedSegment<KettleReactor> {
    let box = Log<RecordedSegment<KettleReactor>>()
    try await simulate { simulation in
      let journal = try await Journal(.inMemory)
      let kettle = try await journal.open("1") { KettleReactor(simulation.clock) }
      let recording = Recording(
        of: kettle, atMost: bytes, hashesEvery: hashesEvery, clock: simulation.clock)
      let all = Recording(of: kettle, hashesEvery: hashesEvery, clock: simulation.clock)
      await kettle.send(.fill(2)).settled
      kettle.send(.heat(to: 40))
      await simulation.advance(by: .milliseconds(1_500))
      kettle.send(.fill(1))
      await simulation.advance(by: .seconds(5))
      await kettle.send(.pourAndRefill(2)).settled
      await simulation.settle()
      box.append(try #require(recording.segment))
      whole?.append(try #require(all.segment))
      seen?.append(await kettle.currentState)
    }
    return try #require(box.entries.first)
  }

  @Test func `a segment is replayed to the state that the reactor had`() async throws {
    let seen = Log<KettleReactor.State>()
    let segment = try await record(seen)
    #expect(try segment.replay() == seen.entries.first)
    #expect(segment.actionCount == 5)
  }

  @Test func `it is the same after writing and reading a file`() async throws {
    let folder = try ScratchDirectory()
    let seen = Log<KettleReactor.State>()
    try await record(seen).write(to: "\(folder.path)/kettle.recording")
    let segment = try RecordedSegment<KettleReactor>(
      contentsOf: "\(folder.path)/kettle.recording")
    #expect(try segment.replay() == seen.entries.first)
  }

  @Test func `a file of something else is refused, and left as it is`() throws {
    let folder = try ScratchDirectory()
    try folder.write("no recording", to: "diary")
    #expect(throws: JournalError.self) {
      try RecordedSegment<KettleReactor>(contentsOf: "\(folder.path)/diary")
    }
    #expect(folder.read("diary") == "no recording")
  }

  @Test(arguments: [1, 200, 400])
  func `the oldest steps beyond the limit are dropped, and the state is still right`(
    bytes: Int
  ) async throws {
    let seen = Log<KettleReactor.State>()
    let whole = try await record()
    let segment = try await record(atMost: bytes, seen)
    #expect(try segment.replay() == seen.entries.first)
    #expect(try segment.mutations().count < whole.mutations().count)
  }

  @Test func `a random reduce is found at its entry`() async throws {
    let journal = try await Journal(.inMemory)
    let dice = try await journal.open("1") { DiceReactor() }
    let recording = Recording(of: dice, hashesEvery: 1)
    for throwing in [false, false, true, false] { await dice.send(throwing).settled }
    let segment = try #require(recording.segment)
    let error = #expect(throws: JournalError.self) { try segment.replay() }
    guard case .diverged(_, 3, 2) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `with fewer hashes, it is found between two of them`() async throws {
    let journal = try await Journal(.inMemory)
    let dice = try await journal.open("1") { DiceReactor() }
    let recording = Recording(of: dice, hashesEvery: 3)
    for number in 1...8 { await dice.send(number == 5).settled }
    let segment = try #require(recording.segment)
    let error = #expect(throws: JournalError.self) { try segment.replay() }
    guard case .diverged(_, 6, 3) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `it is found after the last hash, and before the end without one`()
    async throws
  {
    let journal = try await Journal(.inMemory)
    let dice = try await journal.open("1") { DiceReactor() }
    let recording = Recording(of: dice, hashesEvery: 3)
    for number in 1...5 { await dice.send(number == 5).settled }
    let error = #expect(throws: JournalError.self) { try recording.segment?.replay() }
    guard case .diverged(_, 5, 3) = error else { return #expect(Bool(false), "\(error)") }
    let other = try await journal.open("2") { DiceReactor() }
    let rare = Recording(of: other, hashesEvery: 100)
    for throwing in [true, false] { await other.send(throwing).settled }
    let second = #expect(throws: JournalError.self) { try rare.segment?.replay() }
    guard case .diverged(_, 2, 0) = second else { return #expect(Bool(false), "\(second)") }
  }

  @Test func `a recording ends where it was stopped`() async throws {
    let journal = try await Journal(.inMemory)
    let kettle = try await journal.open("1") { KettleReactor(StoppedClock()) }
    let recording = Recording(of: kettle)
    await kettle.send(.fill(1)).settled
    recording.stop()
    await kettle.send(.fill(1)).settled
    #expect(try recording.segment?.replay().litres == 1)
  }

  @Test(arguments: [1, 200, 400, 700, 900])
  func `the newest steps up to the limit are recorded`(bytes: Int) async throws {
    // Of one reactor: causes name it, and its number is part of what there is to keep.
    let both = Log<RecordedSegment<KettleReactor>>()
    let segment = try await record(atMost: bytes, whole: both)
    let whole = try #require(both.entries.first).steps
    var (count, size) = (1, whole.last?.size ?? 0)
    while count < whole.count, size + whole[whole.count - count - 1].size <= bytes {
      count += 1
      size += whole[whole.count - count].size
    }
    #expect(segment.steps == Array(whole.suffix(count)))
    #expect(count == 1 || segment.steps.reduce(0) { $0 + $1.size } <= bytes)
  }

  // MARK: Causes

  @Test func `an action has its cause`() async throws {
    let actions = try await record().actions()
    #expect(
      actions.map(\.action) == [.fill(2), .heat(to: 40), .fill(1), .pourAndRefill(2), .fill(2)])
    #expect(actions.map(\.number) == [0, 1, 2, 3, 4])
    // Of these, one was sent by another.
    #expect(actions.prefix(4).allSatisfy { $0.cause == nil })
    #expect(actions.last?.cause?.contains("action 3") == true, "\(actions.last?.cause ?? "none")")
    #expect(actions[2].time == .milliseconds(1_500))
  }

  @Test func `a mutation has its action`() async throws {
    let changes = try await record().changes()
    #expect(changes.map(\.action) == [0, 1, 1, 2, 1, 1, 3, 4])
    #expect(changes.map(\.mutation) == (try await record().mutations()))
    #expect(changes[2].time == .seconds(1))
  }

  // MARK: As a test

  /// The file in this target that such a test was written to; see the test below.
  private var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Generated/RecordedKettleTests.swift")
  }

  @Test func `the test generated from a recording is the one compiled here`() async throws {
    let source = try await record().testSource(
      named: "a kettle that was recorded", importing: ["ReactorJournalTests"],
      making: "KettleReactor(simulation.clock)"
    ) { KettleReactor($0.clock) }
    // What a test target imports is not itself.
    let own = source.replacing("@testable import ReactorJournalTests\n\n", with: "")
    if try own != String(contentsOf: file, encoding: .utf8) {
      if ProcessInfo.processInfo.environment["REACTOR_WRITE_GENERATED"] != nil {
        try own.write(to: file, atomically: true, encoding: .utf8)
      }
      Issue.record("the source is another one; REACTOR_WRITE_GENERATED=1 writes it:\n\(own)")
    }
  }

  @Test func `a recording that cannot be reproduced reports where`() async throws {
    let segment = try await record()
    let error = await #expect(throws: RecordingTestError.self) {
      try await segment.testSource(named: "x", importing: [], making: "x") {
        KettleReactor($0.clock, degreesAtATime: 7)
      }
    }
    #expect(error?.mutation == 3)
  }
}

/// Heats water, ten degrees a second.
actor KettleReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable, Equatable {
    case fill(Int)
    case heat(to: Int)
    case pourAndRefill(Int)
  }

  enum Mutation: Codable, Sendable, Equatable {
    case filled(Int)
    case heating(Bool)
    case heated(by: Int)
    case poured
  }

  struct State: Codable, Sendable, Equatable {
    var litres = 0
    var degrees = 20
    var isHeating = false
  }

  static let journalName = "kettle"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>
  private let degreesAtATime: Int

  init(_ clock: any Clock<Duration>, degreesAtATime: Int = 10) {
    (self.clock, self.degreesAtATime) = (clock, degreesAtATime)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .fill(let litres): .just(.filled(litres))
    case .heat(let degrees):
      .run { [self, clock] emit in
        await emit(.heating(true))
        while currentState.degrees < degrees {
          try await clock.sleep(for: .seconds(1))
          await emit(.heated(by: degreesAtATime))
        }
        await emit(.heating(false))
      }
    case .pourAndRefill(let litres):
      .run { [self] emit in
        await emit(.poured)
        send(.fill(litres))
      }
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .filled(let litres): state.litres += litres
    case .heating(let isHeating): state.isHeating = isHeating
    case .heated(let degrees): state.degrees += degrees
    case .poured: state.litres = 0
    }
  }
}
