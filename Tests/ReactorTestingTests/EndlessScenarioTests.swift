import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorTesting

/// Scenarios in which something can always run.
@Suite(.bounded) struct EndlessScenarioTests {
  /// Runs a scenario that is held to never rest after ten thousand steps.
  private func simulateBriefly(
    awaitsOthers: Bool = false, _ scenario: @escaping @Sendable (Simulation) async throws -> Void
  ) async throws {
    try await EndlessScenarioDetector.$limit.withValue(10_000) {
      try await simulate(awaitsOthers: awaitsOthers, scenario)
    }
  }

  @Test func `a reactor that sends its action again without end is named`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await simulateBriefly { simulation in
        let reactor = EndlessReactor()
        reactor.send(.again)
        await simulation.settle()
      }
    }
    let text = try #require(error?.description)
    #expect(
      text.replacing(/#[0-9]+/, with: "#n")
        == "the scenario never rests: after 10000 steps something can still run, and what keeps "
        + "coming is 'again' of EndlessReactor#n; let it wait for the clock, or for an action")
  }

  @Test func `an effect that loops without end is detected`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await simulateBriefly { simulation in
        let reactor = EndlessReactor()
        reactor.send(.spin)
        await simulation.settle()
      }
    }
    let text = try #require(error?.description)
    #expect(
      text == "the scenario never rests: after 10000 steps something can still run, and what "
        + "keeps coming is no action: a task that goes round in a loop, say; let it wait for the "
        + "clock, or for an action")
  }

  @Test func `a scenario that throws while something loops has thrown`() async {
    await #expect(throws: Oops.self) {
      try await simulateBriefly { _ in
        let reactor = EndlessReactor()
        reactor.send(.spin)
        throw Oops()
      }
    }
  }

  @Test func `a scenario that is cancelled while something loops ends`() async {
    let tasks = Log<Task<Void, any Error>>()
    let running = Task {
      try await simulateBriefly(awaitsOthers: true) { simulation in
        let running = await tasks.entries(upTo: 1)[0]
        let reactor = EndlessReactor { running.cancel() }
        reactor.send(.spin)
        await simulation.settle()
        try Task.checkCancellation()
      }
    }
    tasks.append(running)
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func `a scenario that suspends now and then may take any number of steps`() async throws {
    try await simulateBriefly { simulation in
      for _ in 0..<10 {
        for _ in 0..<2_000 { await Task.yield() }
        await simulation.settle()
      }
    }
  }
}

private actor EndlessReactor: Reactor {
  enum Action: Sendable { case again, spin }
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  private let hasBegun: @Sendable () -> Void

  init(hasBegun: @escaping @Sendable () -> Void = {}) { self.hasBegun = hasBegun }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .again:
      .run { emit in
        await emit(1)
        self.send(.again)
      }
    case .spin:
      .run { _ in
        self.hasBegun()
        while !Task.isCancelled { await Task.yield() }
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
