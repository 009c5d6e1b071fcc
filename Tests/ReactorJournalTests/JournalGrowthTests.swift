import Foundation
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor
@testable import ReactorJournal

/// What waits at a journaled reactor's gate, and what its journal knows of commands, costs in
/// proportion to its number.
@Suite(.bounded) struct JournalGrowthTests {
  @Test func `mutations that wait to be stored one by one`() async throws {
    let growth = try await Growth.of(1_000) { count in
      let gate = OutputGate<Int, Int, Never>(writer: OneByOneWriter(), last: 0)
      let views = (1...count).map { number in
        StagedView(state: number, version: UInt64(number), isShown: true, isObserved: true)
      }
      for view in views {
        gate.reduced(1, to: view, of: nil)
        gate.leave(.end {})
      }
      for view in views { gate.written(gate.takeBatch(view), nil) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `commands that wait to be stored`() async throws {
    let growth = try await Growth.of(1_000) { count in
      let gate = OutputGate<Int, Int, Never>(writer: OneByOneWriter(), last: 0)
      for number in 0..<count {
        gate.note(StoredCommand(id: "\(number)", request: 1, standing: .begun))
      }
      for number in 0..<count {
        #expect(gate.hasUnstored("\(number)"))
        gate.written(gate.takeBatch(nil), nil)
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `commands that are stored for a time`() async throws {
    let growth = try await Growth.of(2_000) { count in
      let time = Guarded(0.0)
      let options = JournalOptions(
        commandRetention: .seconds(count),
        now: { Date(timeIntervalSinceReferenceDate: time.withLock { $0 }) })
      let journal = Journal(store: MemoryStore(), codec: JSONJournalCodec(), options: options)
      let log = CommandLog(key: JournalKey(name: "sum", id: "1"), journal: journal)
      for number in 0..<2 * count {
        time.withLock { $0 += 1 }
        log.add([(StoredCommand(id: "\(number)", request: 1, standing: .begun), number)])
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `ids of journals, page by page`() async throws {
    let growth = try await Growth.of(4_000) { count in
      let store = MemoryStore()
      for number in 0..<count {
        let key = JournalKey(name: JournaledSumReactor.journalName, id: "\(number)")
        let claim = try await store.take(key)
        let entry = JournalEntry(sequence: 1, version: 1, payload: Data(), time: Date())
        try await store.append([entry], to: key, epoch: claim.epoch)
      }
      var seen = 0
      for try await _ in try await Journal(.store(store)).ids(of: JournaledSumReactor.self) {
        seen += 1
      }
      #expect(seen == count)
    }
    #expect(growth < Growth.most)
  }

  @Test func `snapshots that are stored, and looked up`() async throws {
    let growth = try await Growth.of(2_000) { count in
      let (store, key) = (MemoryStore(), JournalKey(name: JournaledSumReactor.journalName, id: "1"))
      let claim = try await store.take(key)
      for sequence in 1...count {
        let snapshot = JournalSnapshot(sequence: sequence, version: 1, payload: Data())
        try await store.save(snapshot, of: key, epoch: claim.epoch)
        _ = await store.snapshot(of: key, through: sequence - 1)
      }
      #expect(await store.snapshot(of: key, through: count)?.sequence == count)
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [Durability.group, .each])
  func `the ten-thousandth action of a journaled reactor`(durability: Durability) async throws {
    let growth = try await Growth.ofLateSteps {
      let options = JournalOptions(snapshotAfter: nil)
      let journal = try await Journal(.inMemory, options: options)
      return try await journal.open("1", durability: durability) { JournaledSumReactor() }
    } _: { reactor, _ in
      await reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test(arguments: [2_000, Int.max])
  func `the ten-thousandth action of a recorded reactor`(bytes: Int) async throws {
    let growth = try await Growth.ofLateSteps {
      try await RecordedSum(atMost: bytes)
    } _: { sum, _ in
      await sum.reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test(arguments: [false, true])
  func `the ten-thousandth snapshot that is requested`(deletes: Bool) async throws {
    let growth = try await Growth.ofLateSteps {
      let options = JournalOptions(snapshotAfter: nil, deletesBeforeSnapshot: deletes)
      let journal = try await Journal(.inMemory, options: options)
      return try await journal.open("1") { JournaledSumReactor() }
    } _: { reactor, _ in
      await reactor.send(1).settled
      try await reactor.makeSnapshot()
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `the ten-thousandth change that is undone, soon after a snapshot`() async throws {
    let growth = try await Growth.ofLateSteps {
      let options = JournalOptions(snapshotAfter: nil, deletesBeforeSnapshot: true)
      let journal = try await Journal(.inMemory, options: options)
      return try await journal.open("1") { NotesReactor() }
    } _: { notes, _ in
      // To undo is to read what has been kept since then.
      try await notes.makeSnapshot()
      await notes.send(.add("a")).settled
      #expect(try await notes.undo())
    }
    #expect(growth < Growth.mostLate)
  }
}

/// Writes one mutation at a time.
private final class OneByOneWriter: GateWriter {
  var hashesEvery: Int { 0 }
  var batchLimit: Int { 1 }
  var isWriteBehind: Bool { false }

  func writes(_ mutation: Int) -> Bool { true }
  func prepare() async {}
  func expedite() {}
  func command(_ id: String) async throws -> StoredCommand? { nil }
  func write(_ batch: [GateEntry<Int, Int>]) async throws {}
  func written(_ state: Int?, at sequence: Int) {}
  func close() async {}
}

/// Adds up.
private actor JournaledSumReactor: Reactor, JournaledReactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "kept-sum"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Int) -> MutationStream<Int> { .just(action) }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// One that adds up, and what is recorded of it.
private struct RecordedSum: Sendable {
  let reactor: JournaledSumReactor
  let recording: Recording<JournaledSumReactor>

  init(atMost bytes: Int) async throws {
    let journal = try await Journal(.inMemory, options: JournalOptions(snapshotAfter: nil))
    reactor = try await journal.open("1") { JournaledSumReactor() }
    recording = Recording(of: reactor, atMost: bytes)
  }
}
