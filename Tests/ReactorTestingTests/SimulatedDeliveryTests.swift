import Reactor
import ReactorRuntime
import ReactorTesting
import Testing
import TestLimits

/// When an action is delivered to streams and observers, in a simulation.
@Suite(.bounded) struct SimulatedDeliveryTests {
  @Test func `with a hook and lanes, an action is delivered after its first mutations`()
    async throws
  {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      let reactor = Opener(clock: simulation.clock)
      let steps = Steps()
      await reactor.keep(steps)
      for action in [2, 4, 6, 8] { reactor.send(action) }
      await withTaskGroup(of: Void.self) { group in
        for action in [1, 3, 5, 7] {
          group.addTask {
            try? await simulation.clock.sleep(for: .seconds((action + 1) / 2))
            reactor.send(action)
          }
        }
        await simulation.advance(by: .seconds(10))
      }
      let all = steps.all.withLock { $0 }
      for action in [1, 3, 5, 7] {
        let (opened, told) = (
          all.firstIndex(of: "opened \(action)"), all.firstIndex(of: "told \(action)")
        )
        try #require(opened != nil && told != nil)
        try #require(opened ?? 0 < told ?? 0, "\(all)")
      }
    }
  }
}

private final class Steps: Sendable {
  let all = Guarded<[String]>([])
}

/// Even actions take a second each, one after another; odd ones emit at once.
private actor Opener: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let clock: SimulatedClock

  init(clock: SimulatedClock) { self.clock = clock }

  func keep(_ steps: Steps) {
    _ = pipeline.listen(
      StepListener { step in
        switch step {
        case .reduced(let mutation, _, _):
          steps.all.withLock { $0.append("opened \(mutation)") }
        case .turnEnded(let action, _): steps.all.withLock { $0.append("told \(action)") }
        default: break
        }
      }, on: self)
  }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func lane(for action: Int) -> Lane? { action % 2 == 0 ? .sequential("a") : nil }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      await self.open(action, emit)
      if action % 2 == 0 { try await self.clock.sleep(for: .seconds(1)) }
    }
  }

  private func open(_ action: Int, _ emit: MutationEmitter<Int>) async { await emit(action) }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
