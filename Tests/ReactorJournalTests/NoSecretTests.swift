import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// A journal's errors and reports show nothing of what it cannot read, write or keep.
///
/// The key of a journal is shown on purpose.
@Suite(.bounded) struct NoSecretTests {
  private enum Level: String, Codable { case low, high }

  private let key = JournalKey(name: "levels", id: "1")

  private func errors(because cause: any Error) -> [JournalError] {
    [
      .undecodable(key, sequence: 1, version: 1, cause: cause),
      .unencodable(key, sequence: 1, cause: cause),
      .undecodableSnapshot(key, sequence: 1, version: 1, cause: cause),
      .storeFailed(key, cause: cause), .unusable("/tmp/levels.db", cause: cause),
    ]
  }

  @Test func `no error of a journal quotes what a decoder has quoted`() throws {
    let cause = try #require(throws: DecodingError.self) {
      _ = try JSONDecoder().decode([Level].self, from: Data("[\"\(Secret.text)\"]".utf8))
    }
    #expect("\(cause)".contains(Secret.text))
    for error in errors(because: cause) {
      #expect(error.description.contains("DecodingError.dataCorrupted"), "\(error)")
      expectSilence(Secret.texts(of: error))
    }
  }

  @Test(arguments: Secret.errors)
  func `no error of a journal shows what its cause carries`(_ sample: Secret.Sample<any Error>) {
    for error in errors(because: sample.value) { expectSilence(Secret.texts(of: error)) }
  }

  // MARK: What a journal does

  /// A value that cannot be written, or read, for the reason of a number.
  struct Trouble: Codable, Sendable {
    enum Part: String, Codable { case nothing, writing, reading }

    var part = Part.nothing
    var number = 0

    init(_ part: Part = .nothing, _ number: Int = 0) { (self.part, self.number) = (part, number) }

    private enum CodingKeys: CodingKey { case part, number }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      part = try container.decode(Part.self, forKey: .part)
      number = try container.decode(Int.self, forKey: .number)
      if part == .reading { throw Secret.errors[number].value }
    }

    func encode(to encoder: any Encoder) throws {
      if part == .writing { throw Secret.errors[number].value }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(part, forKey: .part)
      try container.encode(number, forKey: .number)
    }
  }

  private actor Diary: JournaledReactor {
    /// What goes wrong with a mutation, and with the state after it.
    struct Mutation: Codable, Sendable { var content, state: Trouble }
    typealias Action = Mutation
    typealias State = Trouble
    static let journalName = "diary"
    static let journalVersion = 1
    static let initialState = Trouble()
    nonisolated let pipeline = Pipeline()
    nonisolated let reports: Log<String>

    init(_ reports: Log<String>) { self.reports = reports }

    static func reduce(state: inout Trouble, mutation: Mutation) { state = mutation.state }
    nonisolated func report(_ report: ReactorReport) { reports.append("\(report)") }
  }

  /// A store in memory that fails as the test says.
  private final class Failing: ForwardingStore {
    let inner = MemoryStore()
    let error = Guarded<(any Error)?>(nil)
    let snapshots = Log<Int>()

    func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
      if let error = error.withLock({ $0 }) { throw error }
      try await inner.append(entries, to: key, epoch: epoch)
    }

    func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
      try await inner.save(snapshot, of: key, epoch: epoch)
      snapshots.append(snapshot.sequence)
    }
  }

  private let store = Failing()
  private let reports = Log<String>()

  private func open(snapshotAfter limit: Duration? = nil) async throws -> Diary {
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: limit))
    return try await journal.open("1") { Diary(reports) }
  }

  private func expectSilence(_ texts: [String]) {
    #expect(!texts.isEmpty)
    for text in texts { #expect(!text.contains(Secret.text), "\(text)") }
  }

  @Test(arguments: Secret.errors.indices)
  func `a mutation that cannot be written is shown by its number`(_ number: Int) async throws {
    let diary = try await open()
    let mutation = Diary.Mutation(content: Trouble(.writing, number), state: Trouble())
    let outcome = await diary.outcome(of: mutation)
    expectSilence(await reports.entries(upTo: 1) + ["\(outcome)"])
  }

  @Test(arguments: Secret.errors.indices)
  func `a state that cannot be written is shown by its number`(_ number: Int) async throws {
    let diary = try await open(snapshotAfter: .zero)
    diary.send(Diary.Mutation(content: Trouble(), state: Trouble(.writing, number)))
    expectSilence(await reports.entries(upTo: 1))
  }

  @Test(arguments: Secret.errors.indices)
  func `an entry that cannot be read is shown by its number`(_ number: Int) async throws {
    let diary = try await open()
    let mutation = Diary.Mutation(content: Trouble(.reading, number), state: Trouble())
    await diary.send(mutation).settled
    await diary.stop().settled
    let error = try await #require(throws: JournalError.self) { _ = try await open() }
    expectSilence(Secret.texts(of: error))
  }

  @Test(arguments: Secret.errors.indices)
  func `a snapshot that cannot be read is shown by its number`(_ number: Int) async throws {
    let diary = try await open(snapshotAfter: .zero)
    let mutation = Diary.Mutation(content: Trouble(), state: Trouble())
    await diary.send(mutation).settled
    _ = await store.snapshots.entries(upTo: 1)
    await diary.stop().settled
    try await store.inner.saveState(Trouble(.reading, number), at: 1)
    _ = try await open()
    expectSilence(await reports.entries(upTo: 1))
  }

  @Test(arguments: Secret.errors)
  func `an error of a store is shown by its kind`(
    _ sample: Secret.Sample<any Error>
  ) async throws {
    let diary = try await open()
    store.error.withLock { $0 = sample.value }
    let mutation = Diary.Mutation(content: Trouble(), state: Trouble())
    let outcome = await diary.outcome(of: mutation)
    expectSilence(await reports.entries(upTo: 1) + ["\(outcome)"])
  }
}

extension MemoryStore {
  /// Keeps a snapshot in place of another one.
  fileprivate func saveState(_ state: some Encodable & Sendable, at sequence: Int) async throws {
    let key = JournalKey(name: "diary", id: "1")
    let claim = try take(key)
    let snapshot = JournalSnapshot(
      sequence: sequence, version: 1, payload: try JSONJournalCodec().encode(state))
    try save(snapshot, of: key, epoch: claim.epoch)
    release(key, epoch: claim.epoch)
  }
}
