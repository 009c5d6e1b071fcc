import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Asks that would wait for one another for ever are refused, and the cycle is named.
@Suite(.bounded) struct AskCycleTests {
  /// Answers after having asked others, by what the test says.
  actor Desk: Reactor {
    enum Action: Sendable {
      case alone(Lane?, Reply<Int>)
      case passing(Lane?, Reply<Int>, @Sendable (Reply<Int>) -> Action, to: Desk)
      case slowly(Lane?, Gate, Reply<Int>)
    }
    typealias Mutation = Int

    let initialState = 0
    let pipeline: ReactorPipeline<Desk>

    init(_ name: String) { pipeline = ReactorPipeline(named: name) }

    func lane(for action: Action) -> Lane? {
      switch action {
      case .alone(let lane, _), .passing(let lane, _, _, _), .slowly(let lane, _, _): lane
      }
    }

    nonisolated func report(_ report: ReactorReport) {}

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .alone(_, let reply):
        reply(1)
        return .just(1)
      case .passing(_, let reply, let next, let desk):
        return .run { emit in
          let answer = try await desk.ask(next)
          await emit(answer)
          reply(answer + 1)
        }
      case .slowly(_, let gate, let reply):
        return .run { _ in
          try await gate.wait()
          reply(1)
        }
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  private let a = Desk("a")
  private let b = Desk("b")
  private let c = Desk("c")
  private let lane = Lane.sequential("lane")

  private func cycle(_ error: (any Error)?) -> [String]? {
    guard let error = error as? AskError else { return nil }
    switch error.reason {
    case .cycle(let steps): return steps.map { "\($0.reactor.name ?? "") \($0.actionName)" }
    case .failed(let error): return cycle(error)
    default: return nil
    }
  }

  /// Whether an error names a cycle of these; which of them finds it, and comes first, depends on
  /// which one searches when the last of them has come.
  private func isCycle(_ error: (any Error)?, of steps: [String]) -> Bool {
    steps.indices.contains { start in
      cycle(error) == Array(steps[start...] + steps[...start])
    }
  }

  @Test func `an action that asks the lane it runs in is refused`() async {
    let (a, lane) = (a, lane)
    let error = await #expect(throws: AskError.self) {
      try await a.ask { .passing(lane, $0, { .alone(lane, $0) }, to: a) }
    }
    #expect(cycle(error) == ["a passing", "a alone", "a passing"])
    let text = error?.description ?? ""
    #expect(text.contains("action 0 'passing' of Desk#"), "\(text)")
    #expect(text.contains("'a' waits for action 1 'alone' of Desk#"), "\(text)")
  }

  @Test func `an action that asks its own lane through another reactor is refused`() async throws {
    let (a, b, lane) = (a, b, lane)
    let error = await #expect(throws: AskError.self) {
      try await a.ask {
        .passing(lane, $0, { .passing(nil, $0, { .alone(lane, $0) }, to: a) }, to: b)
      }
    }
    #expect(isCycle(error, of: ["b passing", "a alone", "a passing"]))
    #expect(try await a.ask { .alone(lane, $0) } == 1)
  }

  @Test func `the cycle is refused also if the first action was sent, not asked`() async {
    let (a, b, lane) = (a, b, lane)
    let refused = Log<Answer>()
    let ignored = Reply<Int> { answer in
      if case .failure(let error) = answer { refused.append(.error("\(error)")) }
    }
    let outcome = await a.outcome(
      of: .passing(
        lane, ignored, { .passing(nil, $0, { .alone(lane, $0) }, to: a) }, to: b))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(isCycle(error, of: ["b passing", "a alone", "a passing"]))
  }

  @Test func `a cycle through the lanes of three reactors is found`() async {
    let (a, b, c, lane) = (a, b, c, lane)
    let error = await #expect(throws: AskError.self) {
      try await a.ask {
        .passing(
          lane, $0,
          { .passing(lane, $0, { .passing(lane, $0, { .alone(lane, $0) }, to: a) }, to: c) },
          to: b)
      }
    }
    #expect(isCycle(error, of: ["c passing", "a alone", "a passing", "b passing"]))
  }

  @Test func `two reactors that ask each other's lanes do not wait for ever`() async {
    let (a, b, lane) = (a, b, lane)
    for _ in 0..<50 {
      async let left = Answer {
        try await a.ask { .passing(lane, $0, { .alone(lane, $0) }, to: b) }
      }
      async let right = Answer {
        try await b.ask { .passing(lane, $0, { .alone(lane, $0) }, to: a) }
      }
      // Both are answered if they did not meet.
      for answer in await [left, right] {
        if case .value(2) = answer { continue }
        let text = "\(answer)"
        #expect(text.contains("wait for one another"), "\(text)")
      }
    }
  }

  @Test func `a lane with slots for both actions is no cycle`() async throws {
    let (a, b) = (a, b)
    let two = Lane.concurrent("lane", atMost: 2)
    #expect(
      try await a.ask {
        .passing(two, $0, { .passing(nil, $0, { .alone(two, $0) }, to: a) }, to: b)
      } == 3)
  }

  @Test func `waiting behind an unrelated action is no cycle`() async throws {
    let (a, b, lane) = (a, b, lane)
    let gate = Gate()
    async let slow: Int = a.ask { .slowly(lane, gate, $0) }
    await gate.reached()
    async let fast: Int = b.ask { .passing(lane, $0, { .alone(lane, $0) }, to: a) }
    await a.wait { $0.depth(ofLane: "lane").waiting == 1 }
    gate.open()
    #expect(try await slow == 1)
    #expect(try await fast == 2)
  }

  @Test func `a refused ask releases its place in the lane`() async throws {
    let (a, lane) = (a, lane)
    for _ in 0..<10 {
      await #expect(throws: AskError.self) {
        try await a.ask { .passing(lane, $0, { .alone(lane, $0) }, to: a) }
      }
    }
    #expect(try await a.ask { .alone(lane, $0) } == 1)
    #expect(await a.depth(ofLane: "lane") == LaneDepth(running: 0, waiting: 0))
  }

  // MARK: The search

  /// A reactor as the search sees it: which actions wait for which in its lanes, by number.
  private final class Drawn: AskedPipeline {
    let identity = ReactorIdentity(type: Desk.self, number: 1, name: "drawn")
    private let holders: [UInt64: [UInt64]]

    init(_ holders: [UInt64: [UInt64]]) { self.holders = holders }

    func answeredTwice(_ number: UInt64?) {}

    func holders(before number: UInt64) async -> [UInt64] { holders[number] ?? [] }

    func name(of number: UInt64) async -> String? { "\(number)" }

    /// The work of one action asks for another.
    func asks(_ asking: UInt64, _ asked: UInt64) -> AskWaitGraph.Wait {
      AskWaitGraph.Wait(
        asking: AskingWork(self, asking), asked: AskingWork(self, asked), ask: Ask())
    }
  }

  /// What the search delivers to the first of those that wait.
  private func search(_ waits: [AskWaitGraph.Wait]) async -> [String]? {
    for wait in waits { AskWaitGraph.add(wait) }
    defer { for wait in waits { AskWaitGraph.remove(wait) } }
    await AskCycleSearch.run(for: waits[0])
    waits[0].ask.end(.released)
    guard case .cycle(let steps) = await waits[0].ask.wait() else { return nil }
    return steps.map(\.actionName)
  }

  @Test func `work that ends by itself is no cycle, by whichever path it is found`() async {
    // 1 asks 2, which waits for 1 and 3; 3 asks 4 and 5, both of which wait for 6, which runs.
    let drawn = Drawn([2: [1, 3], 4: [6], 5: [6]])
    #expect(await search([drawn.asks(1, 2), drawn.asks(3, 4), drawn.asks(3, 5)]) == nil)
    // The same where 6 waits for the first, too.
    let stuck = Drawn([2: [1, 3], 4: [6], 5: [6], 6: [1]])
    #expect(
      await search([stuck.asks(1, 2), stuck.asks(3, 4), stuck.asks(3, 5)]) == ["1", "2", "1"])
  }

  @Test func `an ask that has been answered is no part of a cycle`() async {
    // 1 asks 2, which waits for 3; 3 has asked 4, which waits for 1, and has been answered.
    let drawn = Drawn([2: [3], 4: [1]])
    let answered = drawn.asks(3, 4)
    answered.ask.end(.released)
    #expect(await search([drawn.asks(1, 2), answered]) == nil)
    #expect(await search([drawn.asks(1, 2), drawn.asks(3, 4)]) == ["1", "2", "3", "4", "1"])
  }
}
