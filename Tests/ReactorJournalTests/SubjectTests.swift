import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Keys of subjects: what one hides is gone with it, for good, and nothing else is.
@Suite(.bounded) struct SubjectTests {
  private let key = JournalKey(name: "guests", id: "1")
  private let keys = TestSubjectKeys()

  @Test func `without one key, all others replay`() async throws {
    let journal = try await Journal(.inMemory, codec: JSONJournalCodec(subjects: keys))
    let guests = try await journal.open("1") { GuestsReactor() }
    for (subject, name) in ["Ada", "Ben", "Cy"].enumerated() {
      await guests.send(Sealed(name, for: "\(subject)")).settled
    }
    await guests.stop().settled
    for entry in try await journal.store.entries(of: key, after: 0, limit: 9) {
      let text = String(decoding: entry.payload, as: UTF8.self)
      #expect(!text.contains("Ben") && !text.contains(Data("\"Ben\"".utf8).base64EncodedString()))
    }
    keys.removeKey("1")
    let again = try await journal.open("1") { GuestsReactor() }
    #expect(await again.currentState.map(\.value) == ["Ada", nil, "Cy"])
  }

  @Test func `a forgotten subject is not restored from a snapshot`() async throws {
    try await simulate { simulation in
      let store = ScriptedStore()
      let journal = try await Journal(
        .store(store), codec: JSONJournalCodec(subjects: keys),
        options: JournalOptions(snapshotAfter: .zero))
      let guests = try await journal.open("1") { GuestsReactor() }
      await guests.send(Sealed("Ben", for: "1")).settled
      await simulation.settle()
      keys.removeKey("1")
      await guests.send(Sealed("Cy", for: "2")).settled
      await simulation.settle()
      #expect(store.snapshots.entries == [.saved(1), .saved(2)])
      await guests.stop().settled
      let again = try await journal.open("1") { GuestsReactor() }
      #expect(await again.currentState.map(\.value) == [nil, "Cy"])
      #expect(try await again.history?.state(at: 1).map(\.value) == [nil])
    }
  }

  @Test func `a value sealed with a deleted key stays sealed when there is a new one`()
    async throws
  {
    let journal = try await Journal(.inMemory, codec: JSONJournalCodec(subjects: keys))
    let guests = try await journal.open("1") { GuestsReactor() }
    await guests.send(Sealed("Ben", for: "1")).settled
    keys.removeKey("1")
    await guests.send(Sealed("Ben again", for: "1")).settled
    await guests.stop().settled
    let again = try await journal.open("1") { GuestsReactor() }
    #expect(await again.currentState.map(\.value) == [nil, "Ben again"])
  }

  @Test func `a value for a journal with other keys is sealed with those`() async throws {
    let journal = try await Journal(.inMemory, codec: JSONJournalCodec(subjects: keys))
    let guests = try await journal.open("1") { GuestsReactor() }
    let ben = Sealed("Ben", for: "1")
    await guests.send(ben).settled
    let others = TestSubjectKeys()
    _ = try others.seal(Data(), for: "somebody else")
    let elsewhere = try await Journal(.inMemory, codec: JSONJournalCodec(subjects: others))
    let visitors = try await elsewhere.open("1") { GuestsReactor() }
    await visitors.send(ben).settled
    await visitors.stop().settled
    keys.removeKey("1")
    let again = try await elsewhere.open("1") { GuestsReactor() }
    #expect(await again.currentState.map(\.value) == ["Ben"])
  }
}

actor GuestsReactor: Reactor, JournaledReactor {
  typealias Action = Sealed<String>
  typealias State = [Sealed<String>]

  static let journalName = "guests"
  static let journalVersion = 1
  static let initialState: [Sealed<String>] = []
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: Sealed<String>) { state.append(mutation) }
}

/// A cipher that is good for a test: the key's number, and each byte and one of the key.
final class TestSubjectKeys: SubjectKeys {
  private struct State: Sendable {
    var keys: [String: UInt8] = [:]
    var made: UInt8 = 0
  }

  private let state = Guarded(State())

  func seal(_ data: Data, for subject: String) throws -> Data {
    let key = state.withLock { state in
      if let known = state.keys[subject] { return known }
      state.made += 1
      state.keys[subject] = state.made
      return state.made
    }
    return Data([key] + data.map { $0 ^ (key + 100) })
  }

  func open(_ data: Data, for subject: String) throws -> Data? {
    guard let key = state.withLock({ $0.keys[subject] }), key == data.first else { return nil }
    return Data(data.dropFirst().map { $0 ^ (key + 100) })
  }

  func removeKey(_ subject: String) { state.withLock { $0.keys[subject] = nil } }
}
