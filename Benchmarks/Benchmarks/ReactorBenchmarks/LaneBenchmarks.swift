import Benchmark
import Reactor

/// What a lane costs: the same reactor, with an action that has none and one that has.
func measureLanes() {
  Benchmark("Lane: at once, no lane") { await send(.free, $0) }
  Benchmark("Lane: at once, latest") { await send(.latest, $0) }
  Benchmark("Lane: effect, no lane") { await send(.freeEffect, $0) }
  Benchmark("Lane: effect, latest") { await send(.latestEffect, $0) }
  Benchmark("Lane: effect that suspends, no lane") { await send(.freeWaiting, $0) }
  Benchmark("Lane: effect that suspends, latest") { await send(.latestWaiting, $0) }
}

private func send(_ action: LanedReactor.Action, _ benchmark: Benchmark) async {
  let reactor = LanedReactor()
  benchmark.startMeasurement()
  for _ in benchmark.scaledIterations { reactor.send(action) }
  await reactor.stop(.drain).settled
  benchmark.stopMeasurement()
}

private actor LanedReactor: Reactor {
  enum Action { case free, latest, freeEffect, latestEffect, freeWaiting, latestWaiting }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? {
    switch action {
    case .free, .freeEffect, .freeWaiting: nil
    case .latest, .latestEffect, .latestWaiting: .latest("lane")
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .free, .latest: .just(1)
    case .freeEffect, .latestEffect:
      .run { emit in
        await emit(1)
        await emit(1)
        await emit(1)
      }
    case .freeWaiting, .latestWaiting:
      .run { emit in
        await emit(1)
        await Task.yield()
        await emit(1)
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
