import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Looking at the past, and taking back what was done.
@Suite(.bounded) struct HistoryTests {
  private func list(_ journal: Journal) async throws -> NotesReactor {
    try await journal.open("1") { NotesReactor() }
  }

  @Test func `any state of the past can be restored`() async throws {
    let journal = try await Journal(.inMemory)
    let notes = try await list(journal)
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    let history = try #require(notes.history)
    for (place, state) in [[], ["a"], ["a", "b"], ["a", "b", "c"]].enumerated() {
      #expect(try await history.state(at: place).notes == state)
    }
    let error = await #expect(throws: JournalError.self) { try await history.state(at: 4) }
    #expect(error?.description == "there is no state at 4 of notes '1'; its history has 0 to 3")
  }

  @available(*, deprecated)
  @Test func `the deprecated form leads to the same history`() async throws {
    let journal = try await Journal(.inMemory)
    let notes = try await list(journal)
    for text in ["a", "b"] { await notes.send(.add(text)).settled }
    let history = journal.history(of: NotesReactor.self, "1")
    #expect(try await history.last == 2)
    #expect(try await history.state(at: 1).notes == ["a"])
  }

  @Test func `any state can be found by the time at which it was current`() async throws {
    let now = Guarded(0.0)
    let options = JournalOptions(now: { Date(timeIntervalSinceReferenceDate: now.withLock { $0 }) })
    let notes = try await list(Journal(.inMemory, options: options))
    for (time, text) in [(10.0, "a"), (20, "b"), (20, "c"), (30, "d")] {
      now.withLock { $0 = time }
      await notes.send(.add(text)).settled
    }
    let history = try #require(notes.history)
    for (time, place) in [(9.0, 0), (10, 1), (19.9, 1), (20, 3), (29, 3), (30, 4), (99, 4)] {
      let date = Date(timeIntervalSinceReferenceDate: time)
      #expect(try await history.last(asOf: date) == place, "at \(time)")
      #expect(try await history.state(asOf: date).notes.count == place, "at \(time)")
    }
  }

  @Test func `a time before what was deleted has no state`() async throws {
    let (store, key) = (MemoryStore(), JournalKey(name: "notes", id: "1"))
    let options = JournalOptions(now: { Date(timeIntervalSinceReferenceDate: 10) })
    let journal = try await Journal(.store(store), options: options)
    let notes = try await list(journal)
    for text in ["a", "b"] { await notes.send(.add(text)).settled }
    let state = try JSONEncoder().encode(NotesReactor.State(notes: ["a", "b"]))
    try await store.save(
      JournalSnapshot(sequence: 2, version: 1, payload: state), of: key, epoch: 1)
    try await store.deleteEntries(of: key, through: 1, epoch: 1)
    let history = try #require(notes.history)
    await #expect(throws: JournalError.self) {
      try await history.state(asOf: Date(timeIntervalSinceReferenceDate: 9))
    }
    #expect(
      try await history.state(asOf: Date(timeIntervalSinceReferenceDate: 10)) == notes.currentState)
  }

  @Test func `the history has each change, its cause and its time`() async throws {
    let now = Date(timeIntervalSinceReferenceDate: 1)
    let journal = try await Journal(.inMemory, options: JournalOptions(now: { now }))
    let notes = try await list(journal)
    await notes.send(.add("a")).settled
    let gate = Gate()
    let receipt = notes.send(.addAfter("b", gate))
    await gate.reached()
    gate.open()
    await receipt.settled
    await notes.stop().settled
    let again = try await list(journal)
    await again.send(.add("c")).settled
    var changes: [JournalHistory<NotesReactor>.Change] = []
    for try await change in journal.history("1", of: NotesReactor.self).changes() {
      changes.append(change)
    }
    #expect(changes.map(\.sequence) == [1, 2, 3])
    #expect(changes.map(\.cause) == ["1.0", "1.1", "2.0"])
    #expect(changes.flatMap(\.mutations) == [.added("a"), .added("b"), .added("c")])
    #expect(changes.allSatisfy { $0.time == now && $0.kind == .change })
  }

  @Test func `the cause of a change is the action that an observer received`() async throws {
    let journal = try await Journal(.inMemory)
    var expected: [String] = []
    for epoch in 1...2 {
      let notes = try await list(journal)
      let (observer, gate) = (MutationObserver(), Gate())
      notes.addObserver(observer)
      let late = notes.send(.addAfter("late \(epoch)", gate))
      await gate.reached()
      for text in ["a", "b"] { await notes.send(.add(text)).settled }
      gate.open()
      await late.settled
      #expect(observer.actions.entries == [1, 2, 0])
      expected += observer.actions.entries.map { "\(epoch).\($0)" }
      await notes.stop().settled
    }
    var causes: [String?] = []
    let history = journal.history("1", of: NotesReactor.self)
    for try await change in history.changes() { causes.append(change.cause) }
    #expect(causes == expected)
  }

  @Test func `a fork goes on from the past and leaves the journal alone`() async throws {
    let journal = try await Journal(.inMemory)
    let notes = try await list(journal)
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    let history = try #require(notes.history)
    let fork = try await history.fork(at: 1) { NotesReactor() }
    await fork.send(.add("z")).settled
    #expect(await fork.currentState.notes == ["a", "z"])
    #expect(try await fork.history?.state(at: 0).notes == ["a"])
    #expect(try await history.last == 3)
    #expect(await notes.currentState.notes == ["a", "b", "c"])
  }
}

/// Notes of each mutation which action it is part of.
private final class MutationObserver: ReactorObserver {
  let actions = Log<UInt64>()
  let needs: ObserverNeeds = [.mutations]

  func observe(_ step: ReactorStep) {
    guard case .reduced = step.kind, let action = step.action else { return }
    actions.append(action.number.rawValue)
  }
}
