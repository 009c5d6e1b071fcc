import ReactorComposition
import ReactorRuntime
import TestSupport

@testable import Reactor

/// How many rooms there are, and whether there were ever two of one key that had not ended.
final class InstanceCounter: Sendable {
  private struct State: Sendable {
    var ends: [Int: @Sendable () -> Bool] = [:]
    var alive = 0
    var made = 0
    var problems: [String] = []
  }

  private let state = Guarded(State())
  /// One entry for each that has been released.
  let ends = Log<Int>()

  /// - Parameters:
  ///   - id: Whose.
  ///   - hasEnded: Whether this one has, by then.
  func begin(_ id: Int, hasEnded: @escaping @Sendable () -> Bool) {
    state.withLock { state in
      if state.ends[id]?() == false { state.problems.append("two of \(id)") }
      state.ends[id] = hasEnded
      state.made += 1
      state.alive += 1
    }
  }

  /// It has been released.
  func end(_ id: Int) {
    state.withLock { $0.alive -= 1 }
    ends.append(id)
  }

  func forget(_ id: Int) { state.withLock { $0.ends[id] = nil } }

  var problems: [String] { state.withLock { $0.problems } }
  var made: Int { state.withLock { $0.made } }
  var alive: Int { state.withLock { $0.alive } }
}

/// What a registry makes in the tests.
actor RoomReactor: Reactor {
  enum Action: Sendable {
    case add(Int)
    case count(Reply<Int>)
    case keep(Reply<Int>)
    case wait(Gate)
    case say(String)
  }

  enum Mutation: Sendable {
    case add(Int)
    case keep(Reply<Int>)
  }

  struct State: Sendable, Equatable {
    var count = 0
    var replies: [Reply<Int>] = []
  }

  typealias Output = String

  let initialState = State()
  let pipeline = Pipeline()
  let id: Int
  private let instances: InstanceCounter?

  init(_ id: Int, _ instances: InstanceCounter? = nil) {
    self.id = id
    self.instances = instances
    guard let instances else { return }
    let core = pipeline.core
    // Nothing of its first life goes on: it has been stopped, and has settled.
    instances.begin(id) { core.isEverythingSettled(in: 0) }
  }

  deinit { instances?.end(id) }

  nonisolated func report(_ report: ReactorReport) {}

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let number): return .just(.add(number))
    case .count(let reply):
      reply(currentState.count)
      return .empty
    case .keep(let reply): return .just(.keep(reply))
    case .wait(let gate):
      return .run { emit in
        try await gate.wait()
        await emit(.add(100))
      }
    case .say(let word):
      output(word)
      return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    case .keep(let reply): state.replies.append(reply)
    }
  }
}
