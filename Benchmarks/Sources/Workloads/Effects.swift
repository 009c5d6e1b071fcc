import Reactor

/// Effects: with and without the reactor in their bodies, with and without a suspension.
package actor EffectReactor: Reactor {
  package enum Action: Sendable { case three, threeHere, waiting, waitingHere }
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
      return watch.elapsed
    }
  }

  /// The work of each is waited for before the next is sent.
  static func inTurn(_ action: Action) -> Workload {
    { count in
      let reactor = EffectReactor()
      await reactor.send(action).settled
      let watch = Stopwatch()
      for _ in 0..<count { await reactor.send(action).settled }
      return watch.elapsed
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

/// What effects are held against: tasks that do the same to an actor's state, made by the actor.
package enum EffectFloors {
  package static let task: Workload = { await TaskMaker().make($0) { $0.makeTask() } }
  package static let immediateTask: Workload = { await TaskMaker().make($0) { $0.makeImmediate() } }
  package static let waitingTask: Workload = { await TaskMaker().make($0) { $0.makeWaiting() } }

  /// Each is waited for before the next is made.
  package static let taskInTurn: Workload = { count in
    let maker = TaskMaker()
    let watch = Stopwatch()
    for _ in 0..<count { await Task { await maker.add() }.value }
    return watch.elapsed
  }
}

private actor TaskMaker {
  private var state = Counter.State()
  private var expected = 0
  private var finished: CheckedContinuation<Void, Never>?

  /// Makes so many at once; until the last has run.
  func make(
    _ count: Int, _ body: @Sendable (isolated TaskMaker) -> Void
  ) async -> Duration {
    expected = count
    let watch = Stopwatch()
    for _ in 0..<count { body(self) }
    if state.value < count { await withCheckedContinuation { finished = $0 } }
    return watch.elapsed
  }

  func makeTask() { Task { self.add() } }
  func makeImmediate() { Task.immediate { self.add() } }
  func makeWaiting() {
    Task {
      await Task.yield()
      self.add()
    }
  }

  func add() {
    Counting.reduce(&state, .add(1))
    if state.value == expected { finished?.resume() }
  }
}
