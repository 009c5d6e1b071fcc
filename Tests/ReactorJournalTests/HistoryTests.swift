import Foundation
import Reactor
import ReactorJournal
import TestSupport
import Testing

/// Looking at the past, and taking back what was done.
@Suite struct HistoryTests {
  private func list(_ journal: Journal) async throws -> NotesReactor {
    try await journal.open("1") { NotesReactor() }
  }

  @Test func `any state of the past can be made again`() async throws {
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

  @Test func `the history tells of each change, its cause and its time`() async throws {
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
    for try await change in journal.history(of: NotesReactor.self, "1").changes() {
      changes.append(change)
    }
    #expect(changes.map(\.sequence) == [1, 2, 3])
    #expect(changes.map(\.cause) == ["1.0", "1.1", "2.0"])
    #expect(changes.flatMap(\.mutations) == [.added("a"), .added("b"), .added("c")])
    #expect(changes.allSatisfy { $0.time == now && $0.kind == .change })
  }

  @Test func `the cause of a change is the action that an observer saw`() async throws {
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
    let history = journal.history(of: NotesReactor.self, "1")
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

  // MARK: Undo

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

  @Test func `what other changes did in between stays`() async throws {
    let notes = try await list(Journal(.inMemory))
    await notes.send(.add("a")).settled
    await notes.send(.visit).settled
    #expect(try await notes.undo())
    #expect(await notes.currentState == .init(notes: [], visits: 1))
    #expect(try await !notes.undo())
  }

  @Test(arguments: [(0, 3), (1, 2), (2, 1), (9, 0)])
  func `the limit says how many changes can be undone`(_ limit: Int, _ left: Int) async throws {
    let journal = try await Journal(.inMemory)
    try await NotesReactor.$limit.withValue(limit) {
      let notes = try await list(journal)
      for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
      while try await notes.undo() {}
      #expect(await notes.currentState.notes.count == left)
    }
  }

  @Test func `what is passed by is judged when it is undone`() async throws {
    let notes = try await list(Journal(.inMemory))
    for text in ["1", "2!", "3"] { await notes.send(.add(text)).settled }
    for _ in 1...3 { try await notes.undo() }
    // What ends in an exclamation mark stays.
    #expect(await notes.currentState.notes == ["2!"])
  }

  @Test func `undo works from a snapshot, and before it`() async throws {
    let store = ScriptedStore()
    // By the first guess an entry takes 20 µs to replay: the snapshot is made at the third.
    let journal = try await Journal(
      .store(store), options: JournalOptions(snapshotAfter: .microseconds(50)))
    let notes = try await list(journal)
    for text in ["a", "b", "c"] { await notes.send(.add(text)).settled }
    #expect(await store.snapshots.entries(upTo: 1) == [.saved(3)])
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
  func `undo cancels effects where the author says so`(_ cancels: Bool) async throws {
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
    #expect(try await !again.undo())
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

/// A list of notes, each of which can be taken back.
actor NotesReactor: Reactor, UndoableReactor {
  enum Action {
    case add(String)
    case addAfter(String, Gate)
    case visit
  }

  enum Mutation: Codable, Equatable {
    case added(String)
    case removed(String)
    case visited
  }

  struct State: Codable, Equatable {
    var notes: [String] = []
    var visits = 0
  }

  @TaskLocal static var limit = 100
  @TaskLocal static var cancels = false

  static let journalName = "notes"
  static let journalVersion = 1
  static let initialState = State()
  static var undoLimit: Int { limit }
  static var undoCancelsEffects: Bool { cancels }
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let text): .just(.added(text))
    case .addAfter(let text, let gate):
      .run { emit in
        try await gate.wait()
        await emit(.added(text))
      }
    case .visit: .just(.visited)
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let text): state.notes.append(text)
    case .removed(let text): state.notes.removeAll { $0 == text }
    case .visited: state.visits += 1
    }
  }

  static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .added(let text): text.hasSuffix("!") ? nil : .removed(text)
    case .removed(let text): .added(text)
    case .visited: nil
    }
  }
}
