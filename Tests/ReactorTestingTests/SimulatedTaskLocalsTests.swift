import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// Whose task-local values there are in a simulation: the test's own, and those that are named.
@Suite(.bounded) struct SimulatedTaskLocalsTests {
  @Test func `an effect has the carried values of its sender, and no others`() async throws {
    try await simulate(seeds: 0..<20) { simulation in
      for isNamed in [false, true] {
        let looker = SimulatedTaskLocalReader(
          isNamed ? TaskLocals(Inquiry.$id) : .none, simulation.clock)
        for action in 1...50 { Inquiry.$id.withValue(action) { _ = looker.send(action) } }
        await simulation.advance(by: .seconds(100))
        let found = looker.found.withLock { $0 }
        try #require(found.count == 150)
        try #require(found.allSatisfy { $0.id == (isNamed ? $0.action : 0) })
      }
    }
  }

  @Test func `effects have what the test has bound around a simulation`() async throws {
    try await Inquiry.$id.withValue(-1) {
      try await simulate { simulation in
        let looker = SimulatedTaskLocalReader(.none, simulation.clock)
        Inquiry.$id.withValue(1) { _ = looker.send(1) }
        await simulation.advance(by: .seconds(100))
        #expect(looker.found.withLock { $0 }.map(\.id) == [-1, -1, -1])
      }
    }
  }

  @Test func `an issue inside an effect belongs to the test`() async throws {
    try await withKnownIssue {
      try await simulate { simulation in
        let looker = SimulatedTaskLocalReader(.none, simulation.clock) {
          if Test.current == nil { fatalError("the effect does not know its test") }
          Issue.record("in an effect")
        }
        looker.send(1)
        await simulation.advance(by: .seconds(100))
      }
    } matching: {
      "\($0)".contains("in an effect")
    }
  }

  @Test func `a decorated effect is simulated as well`() async throws {
    try await simulate(seeds: 0..<20) { simulation in
      let looker = SimulatedTaskLocalReader(.none, simulation.clock, isDecorated: true)
      let first = looker.send(1)
      await looker.send(2).settled
      await first.settled
      let words = looker.words.withLock { $0 }
      try #require(words.filter { $0.hasSuffix("1") } == ["around 1", "body 1", "end 1"])
      try #require(await looker.currentState.sorted() == [1, 1, 2, 2])
    }
  }
}

private enum Inquiry {
  @TaskLocal static var id = 0
}

/// Looks which task-local value it has: at the beginning, after some time, and in between.
private actor SimulatedTaskLocalReader: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline: ReactorPipeline<SimulatedTaskLocalReader>
  let clock: SimulatedClock
  let isDecorated: Bool
  let look: @Sendable () -> Void
  let found = Mutex<[(action: Int, id: Int)]>([])
  let words = Mutex<[String]>([])

  init(
    _ carried: TaskLocals, _ clock: SimulatedClock, isDecorated: Bool = false,
    look: @escaping @Sendable () -> Void = {}
  ) {
    pipeline = ReactorPipeline(carrying: carried)
    self.clock = clock
    self.isDecorated = isDecorated
    self.look = look
  }

  func mutate(action: Int) -> MutationStream<Int> {
    if isDecorated { return decorated(action) }
    return .run { emit in
      self.note(action)
      await Task.yield()
      self.note(action)
      try await self.clock.sleep(for: .seconds(1))
      self.note(action)
      self.look()
    }
  }

  private func decorated(_ action: Int) -> MutationStream<Int> {
    .run { emit in
      self.say("body \(action)")
      await emit(action)
      await Task.yield()
      await emit(action)
    }
    .around { emit, body, _ in
      self.say("around \(action)")
      try await body(emit)
    }
    .onEnd { _, _ in self.say("end \(action)") }
  }

  nonisolated func say(_ word: String) { words.withLock { $0.append(word) } }

  nonisolated func note(_ action: Int) { found.withLock { $0.append((action, Inquiry.id)) } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
