import Reactor
import ReactorJournal
import TestSupport

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
