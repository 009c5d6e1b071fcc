import Reactor
import TestLimits
import TestSupport
import Testing

/// Which work an ask belongs to, where a task that waits takes the turn.
@Suite(.bounded) struct AskingTaskTests {
  @Test func `a task that mutate begins does not ask for the work that waits`() async throws {
    let helper = Helper()
    let desk = Desk(helper)
    await helper.set(desk)
    #expect(try await desk.ask { .first($0) } == 1)
    #expect(try await helper.asked?.value == 2)
  }
}

/// Its first action asks the helper, in the only slot of a lane.
private actor Desk: Reactor {
  enum Action: Sendable { case first(Reply<Int>), second(Reply<Int>) }
  typealias Mutation = Never
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let helper: Helper
  /// Opens when the second action waits in the lane.
  nonisolated let hasSecond = Gate()

  init(_ helper: Helper) { self.helper = helper }

  func lane(for action: Action) -> Lane? {
    if case .second = action { hasSecond.open() }
    return .sequential("desk")
  }

  func mutate(action: Action) -> MutationStream<Never> {
    .run { _ in
      switch action {
      case .first(let reply): reply(try await self.helper.ask { .help($0) })
      case .second(let reply): reply(2)
      }
    }
  }

  func reduce(state: inout Int, mutation: Never) {}
}

/// Asks the desk in a task of its own, and answers without waiting for that answer.
private actor Helper: Reactor {
  enum Action: Sendable { case help(Reply<Int>) }
  typealias Mutation = Never
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  private var desk: Desk?
  private(set) var asked: Task<Int, any Error>?

  func set(_ desk: Desk) { self.desk = desk }

  func mutate(action: Action) -> MutationStream<Never> {
    guard case .help(let reply) = action, let desk else { return .empty }
    asked = Task { try await desk.ask { .second($0) } }
    return .run { _ in
      await desk.hasSecond.pass()
      reply(1)
    }
  }

  func reduce(state: inout Int, mutation: Never) {}
}
