package import Reactor

/// Effects: with and without the reactor in their bodies, with and without a suspension.
package actor EffectReactor: Reactor {
  package enum Action: Sendable {
    case three, threeHere, waiting, waitingHere

    fileprivate var mutations: Int {
      switch self {
      case .three, .threeHere: 3
      case .waiting, .waitingHere: 1
      }
    }
  }
  package typealias Mutation = Counter.Mutation

  package let initialState = Counter.State()
  package let pipeline = Pipeline()
  private let amount = 1

  package init() {}

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .three:
      .run { emit in
        await emit(.add(1))
        await emit(.add(1))
        await emit(.add(1))
      }
    case .threeHere:
      .run { emit in
        await emit(.add(self.amount))
        await emit(.add(self.amount))
        await emit(.add(self.amount))
      }
    case .waiting:
      .run { emit in
        await Task.yield()
        await emit(.add(1))
      }
    case .waitingHere:
      .run { emit in
        await Task.yield()
        await emit(.add(self.amount))
      }
    }
  }

  package func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }
}

extension EffectReactor {
  /// One action after the other is sent; until the work of all has ended.
  static func burst(_ action: Action) -> Workload {
    { count in
      let reactor = EffectReactor()
      await reactor.send(action).settled
      let watch = Stopwatch()
      for _ in 0..<count { reactor.send(action) }
      await reactor.stop(.drain).settled
      let reading = watch.reading
      check(await reactor.currentState.value, is: action.mutations * (count + 1))
      return reading
    }
  }

  /// The work of each is waited for before the next is sent.
  static func inTurn(_ action: Action) -> Workload {
    { count in
      let reactor = EffectReactor()
      await reactor.send(action).settled
      let watch = Stopwatch()
      for _ in 0..<count { await reactor.send(action).settled }
      let reading = watch.reading
      check(await reactor.currentState.value, is: action.mutations * (count + 1))
      return reading
    }
  }
}

package enum Effects {
  /// Three mutations, no suspension.
  package static let three = EffectReactor.burst(.three)
  package static let threeHere = EffectReactor.burst(.threeHere)
  package static let threeInTurn = EffectReactor.inTurn(.three)
  /// One suspension, one mutation.
  package static let waiting = EffectReactor.burst(.waiting)
  package static let waitingHere = EffectReactor.burst(.waitingHere)
}
