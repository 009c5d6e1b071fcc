package import Reactor

/// Actions in a lane and in none, in the same reactor.
package actor LanedReactor: Reactor {
  package enum Action: Sendable {
    case free, latest, freeEffect, latestEffect, freeWaiting, latestWaiting

    /// What the state may be after so many.
    fileprivate func sums(_ count: Int) -> ClosedRange<Int> {
      switch self {
      case .free, .latest: count...count
      case .freeEffect, .latestEffect: 3 * count...3 * count
      case .freeWaiting: 2 * count...2 * count
      // All but the last may be evicted while they wait, and be silent from there on.
      case .latestWaiting: count + 1...2 * count
      }
    }
  }
  package typealias Mutation = Int

  package let initialState = 0
  package let pipeline = Pipeline()

  package init() {}

  package func lane(for action: Action) -> Lane? {
    switch action {
    case .free, .freeEffect, .freeWaiting: nil
    case .latest, .latestEffect, .latestWaiting: .latest("lane")
    }
  }

  package func mutate(action: Action) -> MutationStream<Int> {
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

  package func reduce(state: inout Int, mutation: Int) { state += mutation }

  /// Sent from inside, so that none is taken before the last is there: always in the same order.
  fileprivate func send(_ action: Action, times count: Int) {
    for _ in 0..<count { send(action) }
  }
}

package enum Lanes {
  package static let free = burst(.free)
  package static let latest = burst(.latest)
  package static let freeEffect = burst(.freeEffect)
  package static let latestEffect = burst(.latestEffect)
  package static let freeWaiting = burst(.freeWaiting)
  package static let latestWaiting = burst(.latestWaiting)

  /// For counting instructions.
  package static let freeFromInside = burstFromInside(.free)
  package static let latestFromInside = burstFromInside(.latest)

  private static func burst(_ action: LanedReactor.Action) -> Workload {
    { count in
      let reactor = LanedReactor()
      let watch = Stopwatch()
      for _ in 0..<count { reactor.send(action) }
      await reactor.stop(.drain).settled
      let reading = watch.reading
      check(action.sums(count).contains(await reactor.currentState), is: true)
      return reading
    }
  }

  private static func burstFromInside(_ action: LanedReactor.Action) -> Workload {
    { count in
      let reactor = LanedReactor()
      await reactor.send(action).settled
      let watch = Stopwatch()
      await reactor.send(action, times: count)
      await reactor.stop(.drain).settled
      let reading = watch.reading
      check(action.sums(count + 1).contains(await reactor.currentState), is: true)
      return reading
    }
  }
}
