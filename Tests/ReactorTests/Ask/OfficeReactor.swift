import Reactor
import TestSupport

/// A reactor that is asked: in its turn, in effects, in lanes, and in its state.
actor OfficeReactor: Reactor {
  typealias Script = @Sendable (isolated OfficeReactor, Int, Reply<Int>) -> MutationStream<Mutation>

  enum Action: Sendable, Equatable {
    /// Does what the script says.
    case scripted(Int, Reply<Int>)
    /// Answers in its turn, with the state then.
    case count(Reply<Int>)
    /// Keeps the reply in the state, until `serve`.
    case wait(Reply<Int>)
    case serve(Int)
    /// Does not answer.
    case ignore(Reply<Int>)
    /// Answers so many times.
    case repeatedly(Int, Reply<Int>)
    /// Waits at the gate, and answers then.
    case gated(Int, Reply<Int>)
    /// The same in a lane.
    case laned(Lane, Int, Reply<Int>)
    /// Does what the script says, in a lane that takes one after the other.
    case lanedScript(LaneKey, Int, Reply<Int>)
    /// Fails, with the reply in its hands.
    case fail(Reply<Int>)
    case refuse(Reply<Int>)
    /// Answers with more than fits into a few words.
    case text(Reply<[String]>)
    case done(Reply<Void>)

    static func == (left: Action, right: Action) -> Bool { "\(left)" == "\(right)" }
  }

  enum Mutation: Sendable {
    case add(Int)
    case keep(Reply<Int>)
    case serve
  }

  struct State: Sendable, Equatable {
    var count = 0
    var waiting: [Reply<Int>] = []
    var canary: Canary?
  }

  let initialState: State
  let pipeline: ReactorPipeline<OfficeReactor>
  let reports = ReportLog()
  let gates = (0..<8).map { _ in Gate() }
  let started = Log<Int>()
  private let script: Script

  init(
    _ initialState: State = State(), inboxLimit: Int = .max,
    script: @escaping Script = { _, _, _ in .empty }
  ) {
    self.initialState = initialState
    pipeline = ReactorPipeline(named: "office", inboxLimit: inboxLimit)
    self.script = script
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .laned(let lane, _, _): lane
    case .lanedScript(let key, _, _): .sequential(key)
    default: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .scripted(let number, let reply), .lanedScript(_, let number, let reply):
      return script(self, number, reply)
    case .count(let reply):
      reply(currentState.count)
      return .just(.add(1))
    case .wait(let reply): return .just(.keep(reply))
    case .serve(let value):
      for reply in currentState.waiting { reply(value) }
      return .just(.serve)
    case .ignore: return .just(.add(1))
    case .repeatedly(let times, let reply):
      for time in 0..<times { reply(time) }
      return .empty
    case .gated(let number, let reply), .laned(_, let number, let reply):
      started.append(number)
      let gate = gates[number]
      return .run { emit in
        try await gate.wait()
        await emit(.add(1))
        reply(number)
      }
    case .fail: return .run { _ in throw Failure(number: 7) }
    case .refuse(let reply):
      reply(throwing: Failure(number: 8))
      return .empty
    case .text(let reply):
      reply(["one", "two", "three"])
      return .empty
    case .done(let reply):
      reply()
      return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    case .keep(let reply): state.waiting.append(reply)
    case .serve: state.waiting = []
    }
  }
}

/// What an ask has come to, to compare.
enum Answer: Equatable, CustomStringConvertible {
  case value(Int)
  case error(String)
  case askError(String)
  case cancelled

  nonisolated(nonsending) init(
    _ ask: nonisolated(nonsending) () async throws -> Int
  ) async {
    do {
      self = .value(try await ask())
    } catch let error as AskError {
      self = .askError(error.reason.word)
    } catch is CancellationError {
      self = .cancelled
    } catch {
      self = .error("\(error)")
    }
  }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .error(let error): error
    case .askError(let reason): reason
    case .cancelled: "asker cancelled"
    }
  }
}

extension ActionOutcome {
  var word: String {
    switch self {
    case .dropped(let lane): "dropped(\(lane))"
    case .superseded(let lane): "superseded(\(lane))"
    case .evicted(let lane): "evicted(\(lane))"
    case .droppedByMiddleware(let reason): "droppedByMiddleware(\(reason))"
    case .refused(let refusal): "refused(\(refusal))"
    case .failed(let error): "failed(\(error))"
    case .cancelled: "cancelled"
    case .neverBegun: "neverBegun"
    case .reactorEnded: "reactorEnded"
    case .released: "released"
    case .timedOut(let limit): "timedOut(\(limit))"
    case .cycle(let steps): "cycle(\(steps.map(\.actionName).joined(separator: " ")))"
    case .finished, .open, .forgotten: "\(self)"
    }
  }
}

extension OfficeReactor {
  /// Asks in a task of its own.
  nonisolated func asking(
    _ action: @escaping @Sendable (Reply<Int>) -> Action
  ) -> Task<Answer, Never> {
    Task { await Answer { try await self.ask(action) } }
  }

  /// Returns once an action is in the state, waiting to be served.
  nonisolated func hasKept(_ count: Int = 1) async {
    _ = await state.first { $0.waiting.count >= count }
  }
}
