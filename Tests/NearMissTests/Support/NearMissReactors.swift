import Reactor
import ReactorJournal

// What the compiler takes for functions of the author's own. Not private: the symbols of a private
// type cannot be distinguished from those of another of its name.

/// What all of them have.
protocol Minimal: Reactor where Action == Int, State == Int {}

extension Minimal {
  var initialState: Int { 0 }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

actor Unlabelled: Minimal {
  let pipeline = Pipeline()
  func lane(_ action: Action) -> Lane? { .leading("a") }
}

actor Tested: Minimal {
  let pipeline = Pipeline()
  func lane(_ action: Action) -> Lane? { .leading("a") }
}

/// Makes a reactor with a near miss, and uses it in an effect.
actor Maker: Minimal {
  let pipeline = Pipeline()
  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      await Tested().send(action).settled
      await emit(action)
    }
  }
}

actor Relabelled<Item: Sendable>: Reactor {
  enum Action { case put(Item) }
  struct State { var items: [Item] = [] }
  let initialState = State()
  let pipeline = Pipeline()
  func reduce(state: inout State, mutation: Action) {}
}

extension Relabelled {
  func lane(of action: Action) -> Lane { .leading("a") }
}

actor Keyed: Minimal {
  let pipeline = Pipeline()
  func lane(for action: Action) -> String { "a" }
}

actor Shared: Minimal {
  let pipeline = Pipeline()
  static func lane(for action: Action) -> Lane? { .leading("a") }
}

actor Plural: Minimal {
  let pipeline = Pipeline()
  func transform(actions: Actions) -> some AsyncSequence<Action, Never> { actions }
}

actor AnySequence: Minimal {
  let pipeline = Pipeline()
  func transform(
    mutation: some AsyncSequence<Mutation, Never>
  ) -> some AsyncSequence<Mutation, Never> { mutation }
}

actor Echo: Minimal {
  let pipeline = Pipeline()
  func mutate(_ action: Action) -> MutationStream<Mutation> { .empty }
}

actor AsyncEcho: Minimal {
  let pipeline = Pipeline()
  func mutate(action: Action) async throws -> MutationStream<Mutation> { .empty }
}

actor OnlyAsyncEcho: Minimal {
  let pipeline = Pipeline()
  func mutate(action: Action) async -> MutationStream<Mutation> { .empty }
}

actor ThrowingEcho: Minimal {
  let pipeline = Pipeline()
  func mutate(action: Action) throws -> MutationStream<Mutation> { .empty }
}

actor AsyncReport: Minimal {
  let pipeline = Pipeline()
  nonisolated func report(_ report: ReactorReport) async {}
}

/// Helpers that happen to be called like members.
actor Helpers: Minimal {
  let pipeline = Pipeline()
  func lane(of room: String) -> Lane { .leading(room) }
  func lane(for room: String) -> String { room }
  func lane(_ action: Action, in room: String) -> Lane? { .leading(room) }
  func lane() -> Lane? { nil }
  func transform(_ text: String) -> String { text }
  func transform(action: String) -> String { action }
  func transform(_ action: Action) -> Action { action }
  func mutate(_ text: String) -> MutationStream<Mutation> { .empty }
  func mutate(_ action: Action) -> Int { action }
  func report(error: any Error) {}
}

/// What an action comes in.
struct Box<Content: Sendable>: Sendable { let content: Content }

actor Boxed: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func lane(of action: Box<Int>) -> Lane { .leading("a") }
  func reduce(state: inout Int, mutation: Box<Int>) {}
}

actor GenericBoxed<Content: Sendable>: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func lane(of action: Box<[Content]>) -> Lane { .leading("a") }
  func reduce(state: inout Int, mutation: Box<[Content]>) {}
}

/// Helpers for boxes that are no actions.
actor BoxHelpers: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func lane(of box: Box<String>) -> Lane { .leading(box.content) }
  func lane(for box: Box<String>) -> String { box.content }
  func reduce(state: inout Int, mutation: Box<Int>) {}
}

actor GenericBoxHelpers<Content: Sendable>: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  func lane(of box: Box<String>) -> Lane { .leading(box.content) }
  func lane(for box: Box<Content>) -> String { "a" }
  func reduce(state: inout Int, mutation: Box<[Content]>) {}
}

/// Everything is there, with helpers beside.
actor Complete: LanedReactor, ActionTransforming, MutationTransforming, StateTransforming {
  let initialState = 0
  let pipeline = Pipeline()
  func lane(for action: Int) -> Lane? { lane(action) }
  func lane(_ action: Int) -> Lane? { .leading(action) }
  func mutate(action: Int) -> MutationStream<Int> { mutate(action) }
  func mutate(_ action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
  func transform(action: Actions) -> some AsyncSequence<Int, Never> { transform(actions: action) }
  func transform(actions: Actions) -> some AsyncSequence<Int, Never> { actions.map { $0 } }
  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }
  func transform(state: States) -> some AsyncSequence<Int, Never> { state.map { $0 } }
  nonisolated func report(_ report: ReactorReport) { self.report(to: report) }
  nonisolated func report(to report: ReactorReport) {}
}

/// Hooks that hand on what they are given: their sequences are the inputs' own.
actor Same: Minimal {
  let pipeline = Pipeline()
  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action }
  func transform(mutation: Mutations) -> Mutations { mutation }
  func transform(state: States) -> some AsyncSequence<Int, Never> { state }
  func mutate(action: Int) -> MutationStream<Int> { .just(action) }
}

// MARK: Journaled

/// What all journaled ones have.
protocol MinimalJournaled: JournaledReactor where Action == Int, State == Int {}

extension MinimalJournaled {
  static var journalName: String { "minimal" }
  static var journalVersion: Int { 1 }
  static var initialState: Int { 0 }
  static func reduce(state: inout Int, mutation: Int) { state = mutation }
}

actor UnlabelledJournaled: MinimalJournaled {
  let pipeline = Pipeline()
  func lane(_ action: Int) -> Lane? { .leading("a") }
}

actor Recovering: MinimalJournaled {
  let pipeline = Pipeline()
  func recover() {}
}

actor LateRecovery: MinimalJournaled {
  let pipeline = Pipeline()
  func recovered() async {}
}

actor TellingRecovery: MinimalJournaled {
  let pipeline = Pipeline()
  func recovered(_ state: State) {}
}

actor Passing: MinimalJournaled {
  let pipeline = Pipeline()
  static func isTransient(mutation: Int) -> Bool { true }
}

actor Instance: MinimalJournaled {
  let pipeline = Pipeline()
  func isTransient(_ mutation: Int) -> Bool { true }
}

/// Both members are there, with helpers beside.
actor Journaled: MinimalJournaled {
  let pipeline = Pipeline()
  func recovered() { recover() }
  func recover() {}
  static func isTransient(_ mutation: Int) -> Bool { isTransient(mutation: mutation) }
  static func isTransient(mutation: Int) -> Bool { false }
}

/// Helpers that happen to be called like members.
actor JournaledHelpers: MinimalJournaled {
  let pipeline = Pipeline()
  func recover(_ seat: Int) -> Int { seat }
  static func recover() {}
  func isTransient(_ text: String) -> Bool { text.isEmpty }
  func isTransient(_ mutation: Int) -> String { "\(mutation)" }
  func mutate(action: Int) -> MutationStream<Int> {
    recover()
    return .just(action)
  }
  private func recover() {}
}

/// One that has no journal.
actor RecoveringHelpers: Minimal {
  let pipeline = Pipeline()
  func recover() {}
  func recovered() async {}
  func isTransient(_ mutation: Int) -> Bool { mutation == 0 }
}
