import Reactor
import ReactorComposition
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// Says its name after a while, on the simulation's clock.
private actor TimerReactor: Reactor {
  typealias Action = Int
  typealias Output = String
  let initialState = 0
  let pipeline = Pipeline()
  private let name: String
  private let clock: any Clock<Duration>

  init(_ name: String, _ clock: any Clock<Duration>) { (self.name, self.clock) = (name, clock) }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      try await self.clock.sleep(for: .seconds(action))
      await emit(action)
      self.output(self.name)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Has timers, each from its beginning on.
private actor TimersReactor: Reactor {
  typealias Action = [String: Int]

  enum Mutation: Equatable {
    case timers([String: Int])
    case rang(String)
  }

  struct State: Equatable {
    var timers: [String: Int] = [:]
    var rung: [String] = []
  }

  nonisolated let initialState = State()
  nonisolated let pipeline = Pipeline()
  nonisolated let timers: ReactorChildren<String, TimerReactor>

  init(clock: any Clock<Duration>) {
    timers = pipeline.children(\.timers.keys) { name, state in
      let timer = TimerReactor(name, clock)
      timer.send(state.timers[name] ?? 0)
      return timer
    } output: { name, _ in
      .rang(name)
    }
  }

  func mutate(action: [String: Int]) -> MutationStream<Mutation> { .just(.timers(action)) }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .timers(let timers): state.timers = timers
    case .rang(let name):
      state.timers[name] = nil
      state.rung.append(name)
    }
  }
}

@Suite(.bounded) struct SimulatedChildrenTests {
  @Test func `children run on the simulation's clock, and complete their work`() async throws {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      let timers = TimersReactor(clock: simulation.clock)
      await timers.send(["a": 3, "b": 1, "c": 2]).settled
      await simulation.advance(by: .seconds(1))
      #expect(await timers.currentState.rung == ["b"])
      #expect(timers.timers.count == 2)
      await timers.send(["c": 2, "d": 5]).settled  // a is stopped
      await simulation.advance(by: .seconds(1))
      #expect(await timers.currentState.rung == ["b", "c"])
      let stopped = timers.stop(.drain)
      await simulation.advance(by: .seconds(5))
      await stopped.settled
      #expect(await timers.currentState == TimersReactor.State(rung: ["b", "c", "d"]))
      #expect(timers.timers.count == 0)
    }
  }

  @Test func `an output of a child is a step of its parent's test`() async throws {
    try await simulate { simulation in
      let timers = TimersReactor(clock: simulation.clock)
      let test = await ReactorTest(timers, in: simulation)
      await test.send(["a": 1]) { $0.timers = ["a": 1] }
      await test.advance(by: .seconds(1))
      await test.receive(.rang("a")) {
        $0.timers = [:]
        $0.rung = ["a"]
      }
      await test.finish()
    }
  }

  @Test func `a stub has no children`() async throws {
    let timers = TimersReactor(clock: ContinuousClock())
    let stub = try await ReactorStub(timers)
    await stub.show(TimersReactor.State(timers: ["a": 1]))
    #expect(await timers.currentState.timers.count == 1)
    #expect(timers.timers.count == 0)
  }
}
