import Reactor
import TestLimits
import TestSupport
import Testing

/// What an effect emits before it first suspends, while the reactor reduces that.
@Suite(.bounded) struct EffectOpeningTests {
  @Test func `an effect that ends off the actor meanwhile loses no mutation`() async {
    for _ in 0..<200 {
      let reactor = SlowReactor()
      await reactor.send(200).settled
      #expect(await reactor.currentState == 200)
      #expect(reactor.reports.entries.isEmpty)
    }
  }
}

/// Takes long to reduce.
private actor SlowReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let reports = Log<ReactorReport>()

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      for _ in 0..<action { await emit(1) }
      await Task.yield()
    }
  }

  func reduce(state: inout Int, mutation: Int) {
    let end = ContinuousClock.now + .microseconds(5)
    while ContinuousClock.now < end {}
    state += mutation
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
