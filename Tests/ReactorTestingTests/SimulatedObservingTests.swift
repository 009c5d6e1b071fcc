import Reactor
import ReactorRuntime
import ReactorTesting
import Testing
import TestLimits

/// The times that observers receive in a simulation, whose clock is the only one.
@Suite(.bounded) struct SimulatedObservingTests {
  @Test func `the time that an action waited in its lane is measured on the clock`()
    async throws
  {
    try await simulate { simulation in
      let (queue, times) = (Queue(clock: simulation.clock), Times())
      queue.addObserver(times)
      for seconds in [3, 4, 1] { queue.send(seconds) }
      await simulation.advance(by: .seconds(10))
      #expect(times.lane.withLock { $0 } == [nil, .seconds(3), .seconds(7)])
      #expect(times.effects.withLock { $0 } == [.seconds(3), .seconds(4), .seconds(1)])
      #expect(times.actions.withLock { $0 } == [.seconds(3), .seconds(7), .seconds(8)])
    }
  }
}

/// Each action takes so many seconds, one after the other.
private actor Queue: LanedReactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let clock: SimulatedClock

  init(clock: SimulatedClock) { self.clock = clock }

  func lane(for action: Int) -> Lane? { .sequential("queue") }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { [clock] emit in
      try await clock.sleep(for: .seconds(action))
      await emit(action)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

private final class Times: ReactorObserver {
  let lane = Guarded<[Duration?]>([])
  let effects = Guarded<[Duration?]>([])
  let actions = Guarded<[Duration?]>([])

  func observe(_ step: ReactorStep) {
    switch step.kind {
    case .begun(let waited): lane.withLock { $0.append(waited) }
    case .effectEnded(_, _, let took): effects.withLock { $0.append(took) }
    case .ended(_, let took): actions.withLock { $0.append(took) }
    default: break
    }
  }
}
