import Reactor
import Workloads

/// What a lane costs: the same reactor, with an action that has one and one that has none.
func measureLanes() {
  Comparison.compare(
    "at once, in a lane", with: "at once, in none", atMost: nil,
    LanedReactor.burst(.latest), LanedReactor.burst(.free))
  Comparison.compare(
    "effect, in a lane", with: "effect, in none", atMost: nil,
    LanedReactor.burst(.latestEffect), LanedReactor.burst(.freeEffect))
  Comparison.compare(
    "effect that suspends, in a lane", with: "effect that suspends, in none", atMost: nil,
    LanedReactor.burst(.latestWaiting), LanedReactor.burst(.freeWaiting))
}

private actor LanedReactor: Reactor {
  enum Action { case free, latest, freeEffect, latestEffect, freeWaiting, latestWaiting }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  static func burst(_ action: Action) -> Workload {
    { count in
      let reactor = LanedReactor()
      let start = ContinuousClock.now
      for _ in 0..<count { reactor.send(action) }
      await reactor.stop(.drain).settled
      return ContinuousClock.now - start
    }
  }

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
