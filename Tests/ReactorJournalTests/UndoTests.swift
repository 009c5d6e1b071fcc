import Foundation
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// Taking back what was done, and doing it again.
@Suite(.bounded) struct UndoTests {
  private func list(_ journal: Journal) async throws -> NotesReactor {
    try await journal.open("1") { NotesReactor() }
  }

  @Test func `undo and redo add mutations, and survive a restart`() async throws {
    let journal = try await Journal(.inMemory)
    let notes = try await list(journal)
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    #expect(try await notes.undo())
    #expect(await notes.currentState.notes == ["a", "b"])
    await notes.stop().settled
    let again = try await list(journal)
    #expect(try await again.undo())
    #expect(await again.currentState.notes == ["a"])
    #expect(try await again.redo())
    #expect(try await again.redo())
    #expect(try await !again.redo())
    #expect(await again.currentState.notes == ["a", "b", "c"])
    #expect(try await again.history?.last == 7)
  }

  @Test func `a new change clears what could be redone`() async throws {
    let notes = try await list(Journal(.inMemory))
    for text in ["a", "b"] { await notes.send(.add(text)).settled }
    try await notes.undo()
    await notes.send(.add("c")).settled
    #expect(try await !notes.redo())
    #expect(await notes.currentState.notes == ["a", "c"])
  }

  @Test func `a skipped mutation keeps what can be redone`() async throws {
    let notes = try await list(Journal(.inMemory))
    await notes.send(.add("a")).settled
    #expect(try await notes.undo())
    await notes.send(.visit).settled
    #expect(try await notes.redo())
    #expect(await notes.currentState == .init(notes: ["a"], visits: 1))
  }

  @Test func `what other changes did in between remains`() async throws {
    let notes = try await list(Journal(.inMemory))
    await notes.send(.add("a")).settled
    await notes.send(.visit).settled
    #expect(try await notes.undo())
    #expect(await notes.currentState == .init(notes: [], visits: 1))
    #expect(try await !notes.undo())
  }

  @Test(arguments: [(0, 3), (1, 2), (2, 1), (9, 0)])
  func `the limit is the number of changes that can be undone`(_ limit: Int, _ left: Int)
    async throws
  {
    let journal = try await Journal(.inMemory)
    try await NotesReactor.$limit.withValue(limit) {
      let notes = try await list(journal)
      for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
      while try await notes.undo() {}
      #expect(await notes.currentState.notes.count == left)
    }
  }

  @Test func `skipped mutations are evaluated when a change is undone`() async throws {
    let notes = try await list(Journal(.inMemory))
    for text in ["1", "2!", "3"] { await notes.send(.add(text)).settled }
    for _ in 1...3 { try await notes.undo() }
    // What ends in an exclamation mark stays.
    #expect(await notes.currentState.notes == ["2!"])
  }

  @Test func `undo works from a snapshot, and before it`() async throws {
    let store = ScriptedStore()
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let notes = try await list(journal)
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    let state = try JSONEncoder().encode(NotesReactor.State(notes: ["a", "b", "c"]))
    try await store.inner.save(
      JournalSnapshot(sequence: 3, version: 1, payload: state),
      of: JournalKey(name: "notes", id: "1"), epoch: 1)
    await notes.send(.add("d")).settled
    for count in [3, 2, 1, 0] {
      #expect(try await notes.undo())
      #expect(await notes.currentState.notes.count == count)
    }
    // The first time from the snapshot alone, and then from the beginning as well.
    #expect(store.reads.entries.prefix(3) == [3, 3, 0])
    for _ in 1...4 { #expect(try await notes.redo()) }
    #expect(await notes.currentState.notes == ["a", "b", "c", "d"])
  }

  @Test(arguments: [true, false])
  func `undo cancels effects where the author requests it`(_ cancels: Bool) async throws {
    let journal = try await Journal(.inMemory)
    let gate = Gate()
    try await NotesReactor.$cancels.withValue(cancels) {
      let notes = try await list(journal)
      await notes.send(.add("a")).settled
      let receipt = notes.send(.addAfter("b", gate))
      await gate.reached()
      try await notes.undo()
      gate.open()
      await receipt.settled
      #expect(await notes.currentState.notes == (cancels ? [] : ["b"]))
    }
  }

  @Test func `undo of a fork goes back to where it began, and no further`() async throws {
    let journal = try await Journal(.inMemory)
    let dial = try await journal.open("1") { DialReactor() }
    for number in 1...5 { await dial.send(number).settled }
    let fork = try await #require(dial.history).fork(at: 5) { DialReactor() }
    // It shows 5 already, so that this is nothing to take back.
    await fork.send(5).settled
    #expect(try await !fork.undo())
    #expect(await fork.currentState == 5)
    await fork.send(7).settled
    #expect(try await fork.undo())
    #expect(await fork.currentState == 5)
  }

  @Test func `undo goes back to where the history was cut off`() async throws {
    let store = MemoryStore()
    let key = JournalKey(name: "dial", id: "1")
    let journal = try await Journal(.store(store))
    let dial = try await journal.open("1") { DialReactor() }
    for number in 1...6 { await dial.send(number * 10).settled }
    await dial.stop().settled
    let claim = try await store.take(key)
    for place in [2, 6] {
      let snapshot = JournalSnapshot(
        sequence: place, version: 1, payload: Data("\(place * 10)".utf8))
      try await store.save(snapshot, of: key, epoch: claim.epoch)
    }
    try await store.deleteEntries(of: key, through: 2, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    let again = try await journal.open("1") { DialReactor() }
    for number in [50, 40, 30, 20] {
      #expect(try await again.undo())
      #expect(await again.currentState == number)
    }
    // Whether there was more is no longer known.
    let error = await #expect(throws: JournalError.self) { try await again.undo() }
    #expect(
      error?.description == "what dial '1' did before entry 3 has been deleted: it can be neither "
        + "looked at nor undone")
    for number in [30, 40, 50, 60] {
      #expect(try await again.redo())
      #expect(await again.currentState == number)
    }
    #expect(try await !again.redo())
  }

  /// Notes a, b and c; of that the first is deleted, and the key of a command keeps the others: the
  /// state that they led to is not there any more.
  private func cutNotes() async throws -> NotesReactor {
    let (store, key) = (MemoryStore(), JournalKey(name: "notes", id: "1"))
    let claim = try await store.take(key)
    let codec = JSONJournalCodec()
    let command = StoredCommand(id: "x", request: 1, standing: .begun)
    let payloads = try [
      codec.encode(NotesReactor.Mutation.added("a")), codec.encode(command),
      codec.encode(NotesReactor.Mutation.added("b")),
      codec.encode(NotesReactor.Mutation.added("c")),
    ]
    let entries = payloads.enumerated().map { place, payload in
      JournalEntry(
        sequence: place + 1, version: 1, kind: place == 1 ? .command : .change, payload: payload,
        time: Date())
    }
    try await store.append(entries, to: key, epoch: claim.epoch)
    let state = try codec.encode(NotesReactor.State(notes: ["a", "b", "c"]))
    let snapshot = JournalSnapshot(sequence: 4, version: 1, payload: state)
    try await store.save(snapshot, of: key, epoch: claim.epoch)
    try await store.deleteEntries(of: key, through: 1, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    return try await list(Journal(.store(store)))
  }

  @Test func `where a key keeps entries before a snapshot, undo goes back to the snapshot`()
    async throws
  {
    let notes = try await cutNotes()
    await notes.send(.add("d")).settled
    #expect(try await notes.undo())
    #expect(await notes.currentState.notes == ["a", "b", "c"])
    let error = await #expect(throws: JournalError.self) { try await notes.undo() }
    guard case .deleted(_, through: 4) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(try await notes.redo())
    #expect(await notes.currentState.notes == ["a", "b", "c", "d"])
  }

  @Test func `a state whose entries are deleted is reported as such`() async throws {
    let notes = try await cutNotes()
    let error = await #expect(throws: JournalError.self) { try await notes.history?.state(at: 3) }
    guard case .deleted(_, through: 4) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(try await notes.history?.state(at: 4).notes == ["a", "b", "c"])
  }

  @Test func `where the limit ends an undo, deleted entries are not reported`()
    async throws
  {
    try await NotesReactor.$limit.withValue(1) {
      let notes = try await cutNotes()
      for text in ["d", "e"] { await notes.send(.add(text)).settled }
      #expect(try await notes.undo())
      #expect(try await !notes.undo())
    }
  }

  @Test func `where others change it all the time, undo gives up and reports it`() async throws {
    let store = ScriptedStore()
    let notes = try await list(Journal(.store(store)))
    await notes.send(.add("a")).settled
    await store.whenReading { await notes.send(.visit).performed }
    let error = await #expect(throws: JournalError.self) { try await notes.undo() }
    #expect(
      error?.description == "notes '1' is changed by others all the time: nothing has been undone "
        + "or redone; try again")
    #expect(await notes.currentState.notes == ["a"])
    await store.whenReading(nil)
    #expect(try await notes.undo())
    #expect(await notes.currentState.notes == [])
  }
}

/// Shows a number.
private actor DialReactor: Reactor, UndoableReactor {
  typealias Action = Int
  typealias State = Int

  static let journalName = "dial"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()

  static func reduce(state: inout Int, mutation: Int) { state = mutation }

  static func undoing(_ mutation: Int, in before: Int) -> Int? {
    mutation == before ? nil : before
  }
}
