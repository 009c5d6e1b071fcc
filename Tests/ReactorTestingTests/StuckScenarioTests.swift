import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Scenarios that wait for what does not come.
@Suite(.bounded) struct StuckScenarioTests {
  @Test func `a scenario that ignores its cancellation fails, and is abandoned`() async {
    let kept = Log<CheckedContinuation<Void, Never>>()
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { _ in await withCheckedContinuation { kept.append($0) } }
    }
    for continuation in kept.entries { continuation.resume() }
    #expect(
      error?.description.hasPrefix("the scenario waits, and nothing in it can run; ") == true)
  }

  @Test func `an abandoned scenario can go on afterwards`() async {
    let kept = Log<CheckedContinuation<Void, Never>>()
    let story = Log<String>()
    await #expect(throws: SimulationError.self) {
      try await simulate { simulation in
        await withCheckedContinuation { kept.append($0) }
        await simulation.settle()
        story.append("went on")
      }
    }
    for continuation in kept.entries { continuation.resume() }
    #expect(await story.entries(upTo: 1) == ["went on"])
  }

  @Test func `a scenario that ends when it is cancelled is waited for`() async {
    let story = Log<String>()
    await #expect(throws: SimulationError.self) {
      try await simulate { simulation in
        try? await simulation.clock.sleep(for: .seconds(1))
        await simulation.settle()
        story.append("cleaned up")
      }
    }
    #expect(story.entries == ["cleaned up"])
  }

  @Test func `the seed of an abandoned scenario is named`() async {
    let kept = Log<CheckedContinuation<Void, Never>>()
    let error = await #expect(throws: SimulationError.self) {
      try await simulate(seeds: 5...7) { _ in
        await withCheckedContinuation { kept.append($0) }
      }
    }
    for continuation in kept.entries { continuation.resume() }
    #expect(
      error?.description.hasPrefix("seed 5 fails, run it alone with REACTOR_SEED=5: the scenario")
        == true)
  }

  #if os(Linux) || os(macOS)
    @Test func `a scenario that nothing can resume any more does not end the process`() async {
      await #expect(processExitsWith: .success) {
        do {
          try await simulate { _ in await withCheckedContinuation { _ in } }
        } catch { precondition(error is SimulationError) }
      }
    }
  #endif

  @Test func `a scenario that waits for an answer fails with the reactor that is asked`() async {
    let error = await #expect(throws: SimulationError.self) {
      try await simulate { _ in
        let silent = Silent()
        try await silent.ask { .keep($0) }
      }
    }
    #expect(
      error?.description.contains("; if for an ask, answer its Reply; ")
        == true)
  }
}

/// Keeps what it should answer with.
private actor Silent: Reactor {
  enum Action { case keep(Reply<Void>) }
  let initialState: [Reply<Void>] = []
  let pipeline = Pipeline()

  func reduce(state: inout [Reply<Void>], mutation: Action) {
    switch mutation {
    case .keep(let reply): state.append(reply)
    }
  }
}
