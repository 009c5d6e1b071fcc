/// What effects are held against: tasks that do the same to an actor's state, made by the actor.
package enum EffectFloors {
  package static let task: Workload = { await TaskMaker().make($0) { $0.makeTask() } }
  package static let immediateTask: Workload = { await TaskMaker().make($0) { $0.makeImmediate() } }
  package static let waitingTask: Workload = { await TaskMaker().make($0) { $0.makeWaiting() } }
  /// What an effect does whose body does not use the reactor: it runs beside the actor, and tells
  /// it.
  package static let waitingTaskAside: Workload = {
    await TaskMaker().make($0) { $0.makeWaitingAside() }
  }

  /// Each is waited for before the next is made.
  package static let taskInTurn: Workload = { count in
    let maker = TaskMaker()
    let watch = Stopwatch()
    for _ in 0..<count { await Task { await maker.add() }.value }
    let reading = watch.reading
    check(await maker.state.value, is: count)
    return reading
  }
}

private actor TaskMaker {
  private(set) var state = Counter.State()
  private var expected = 0
  private var finished: CheckedContinuation<Void, Never>?

  /// Makes so many at once; until the last has run.
  func make(
    _ count: Int, _ body: @Sendable (isolated TaskMaker) -> Void
  ) async -> Reading {
    expected = count
    let watch = Stopwatch()
    for _ in 0..<count { body(self) }
    if state.value < count { await withCheckedContinuation { finished = $0 } }
    let reading = watch.reading
    check(state.value, is: count)
    return reading
  }

  func makeTask() { Task { self.add() } }
  func makeImmediate() { Task.immediate { self.add() } }
  func makeWaiting() {
    Task {
      await Task.yield()
      self.add()
    }
  }

  func makeWaitingAside() {
    Task.detached {
      await Task.yield()
      await self.add()
    }
  }

  func add() {
    Counting.reduce(&state, .add(1))
    if state.value == expected { finished?.resume() }
  }
}
