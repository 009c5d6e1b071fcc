import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// Which commands a journal knows when it is opened again.
@Suite(.bounded) struct CommandLogTests {
  private let store = ScriptedStore()
  private let key = JournalKey(name: "cart", id: "1")
  private static let now = Date(timeIntervalSinceReferenceDate: 1_000_000)

  /// An entry so many seconds old: a mutation, or a command where there is a name.
  private func entry(
    _ sequence: Int, secondsOld: TimeInterval, command: String? = nil
  ) throws -> JournalEntry {
    let codec = JSONJournalCodec()
    return JournalEntry(
      sequence: sequence, version: 1, kind: command == nil ? .change : .command,
      payload: try command.map {
        try codec.encode(StoredCommand(id: $0, request: 1, standing: .begun))
      } ?? codec.encode(CartReactor.Mutation.added(sequence)),
      time: Self.now - secondsOld)
  }

  /// A reactor that is opened on such entries.
  private func open(on entries: [JournalEntry]) async throws -> CartReactor {
    let claim = try await store.take(key)
    try await store.append(entries, to: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    let options = JournalOptions(
      snapshotAfter: nil, commandRetention: .seconds(600), now: { Self.now })
    return try await Journal(.store(store), options: options).open("1") { CartReactor() }
  }

  private func isStored(_ command: String, _ cart: CartReactor) async throws -> Bool {
    try await cart.pipeline.outputStage?.commands.command(command) != nil
  }

  @Test func `an entry that a wrong clock dated earlier hides no command before it`() async throws {
    let cart = try await open(on: [
      try entry(1, secondsOld: 2, command: "a"), try entry(2, secondsOld: 3_600),
      try entry(3, secondsOld: 1),
    ])
    #expect(try await isStored("a", cart))
    await cart.stop().settled
  }

  @Test func `a command that a wrong clock dated earlier is stored as long as the one before`()
    async throws
  {
    let cart = try await open(on: [
      try entry(1, secondsOld: 2, command: "a"), try entry(2, secondsOld: 3_600, command: "b"),
    ])
    #expect(try await isStored("a", cart))
    #expect(try await isStored("b", cart))
    await cart.stop().settled
  }

  @Test func `a command older than its time is forgotten`() async throws {
    let cart = try await open(on: [
      try entry(1, secondsOld: 601, command: "a"), try entry(2, secondsOld: 599, command: "b"),
    ])
    #expect(try await !isStored("a", cart))
    #expect(try await isStored("b", cart))
    await cart.stop().settled
  }

  @Test func `nothing is read before a page whose entries are all too old`() async throws {
    let cart = try await open(on: (1...2_500).map { try entry($0, secondsOld: 601) })
    let before = store.reads.count
    #expect(try await !isStored("a", cart))
    #expect(store.reads.entries.dropFirst(before) == [1_500])
    await cart.stop().settled
  }
}
