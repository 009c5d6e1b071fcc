import StoreShape

/// ReSwift's shape, as `Store` has it.
///
/// All of it is for one thread, and done when `dispatch` returns.
package enum StorePeers {
  /// So many actions, with so many subscribers.
  package static func dispatch(subscribers: Int) -> Workload {
    { count in CounterStore().dispatch(count, subscribers: subscribers) }
  }

  /// The same on the main actor.
  package static let onMain: Workload = { @MainActor count in
    CounterStore().dispatch(count, subscribers: 1)
  }

  /// A thunk for each, which dispatches three actions.
  package static let thunkOfThree: Workload = { count in
    let counter = CounterStore(middleware: [thunks])
    let watch = Stopwatch()
    for _ in 0..<count {
      counter.store.dispatch(
        Thunk { dispatch in
          dispatch(CounterAction.increase)
          dispatch(CounterAction.increase)
          dispatch(CounterAction.increase)
        })
    }
    let reading = watch.reading
    check(counter.value, is: 3 * count)
    return reading
  }

  /// A thunk for each, which makes a task on the main actor, where the store is, that suspends once.
  package static let thunkThatSuspends: Workload = { @MainActor count in
    let counter = CounterStore(middleware: [thunks])
    let ended = Countdown(count)
    let watch = Stopwatch()
    for _ in 0..<count {
      counter.store.dispatch(
        Thunk { dispatch in
          Task { @MainActor in
            await Task.yield()
            dispatch(CounterAction.increase)
            ended.step()
          }
        })
    }
    await ended.isOver
    let reading = watch.reading
    check(counter.value, is: count)
    return reading
  }

  /// Made, used once, let go.
  package static let createUseRelease: Workload = { count in
    let watch = Stopwatch()
    for _ in 0..<count {
      let counter = CounterStore()
      counter.store.dispatch(CounterAction.increase)
      check(counter.value, is: 1)
    }
    return watch.reading
  }

  /// So many stores with a lock each, ten actions to each in a row, from eight tasks.
  package static func spread(over instances: Int) -> Workload {
    { count in
      let counters = (0..<instances).map { _ in Locked(CounterStore()) }
      let each = count / instances
      let watch = Stopwatch()
      await Instances.eightShares(of: instances) { share in
        for index in share {
          for _ in 0..<each { counters[index].use { $0.store.dispatch(CounterAction.increase) } }
        }
      }
      let reading = watch.reading
      for counter in counters { counter.use { check($0.value, is: each) } }
      return reading
    }
  }
}

// MARK: The counter

private enum CounterAction: StoreAction { case increase }

private final class CounterStore {
  let store: Store<Counter.State>

  init(middleware: [Store<Counter.State>.Middleware] = []) {
    store = Store(state: Counter.State(), middleware: middleware) { action, state in
      var state = state ?? Counter.State()
      if let action = action as? CounterAction {
        switch action {
        case .increase: Counting.reduce(&state, Counting.mutate(.increase))
        }
      }
      return state
    }
  }

  var value: Int? { store.state?.value }

  func dispatch(_ count: Int, subscribers: Int) -> Reading {
    let subscribers = (0..<subscribers).map { _ in LastState() }
    for subscriber in subscribers { store.subscribe(subscriber) }
    let watch = Stopwatch()
    for _ in 0..<count { store.dispatch(CounterAction.increase) }
    let reading = watch.reading
    check(value, is: count)
    check(subscribers.allSatisfy { $0.state.value == count }, is: true)
    return reading
  }
}

private final class LastState: StoreSubscriber {
  private(set) var state = Counter.State()

  func receive(_ state: Counter.State) { self.state = state }
}

// MARK: Thunks

/// An action that is a function of `dispatch`.
private struct Thunk: StoreAction {
  let body: (@escaping Store<Counter.State>.Dispatch) -> Void
}

private func thunks(
  dispatch: @escaping Store<Counter.State>.Dispatch, state: @escaping () -> Counter.State?
) -> (@escaping Store<Counter.State>.Dispatch) -> Store<Counter.State>.Dispatch {
  { next in
    { action in
      if let thunk = action as? Thunk { thunk.body(dispatch) } else { next(action) }
    }
  }
}
