import Dispatch

/// What a store is told; any type may be.
package protocol StoreAction {}

/// ReSwift's store in our own words: what it does for an action, in the same order, with as many objects.
///
/// ReSwift is no dependency of this package. This was written from what its store does and measured
/// once beside the real one; `docs/performance-notes.md` has the figures. Like the real one, it is
/// generic, is in a module of its own, erases actions and states, and is for one thread.
package class Store<State: Equatable> {
  package typealias Reducer = (_ action: any StoreAction, _ state: State?) -> State
  package typealias Dispatch = (any StoreAction) -> Void
  package typealias Middleware = (_ dispatch: @escaping Dispatch, _ state: @escaping () -> State?)
    -> (_ next: @escaping Dispatch) -> Dispatch

  package private(set) var state: State? {
    didSet {
      guard let state else { return }
      entries.forEach { entry in
        if entry.subscriber == nil {
          entries.remove(entry)
        } else {
          entry.pass(from: oldValue, to: state)
        }
      }
    }
  }

  private let reducer: Reducer
  private let middleware: [Middleware]
  private var entries: Set<StoreEntry<State>> = []
  private var isReducing = QueueGuarded(false)
  /// The chain of middleware, made when it is first needed.
  private lazy var chain: Dispatch = makeChain()

  package init(
    state: State, middleware: [Middleware] = [], reducer: @escaping Reducer
  ) {
    self.state = state
    self.middleware = middleware
    self.reducer = reducer
  }

  package func dispatch(_ action: any StoreAction) { chain(action) }

  /// Tells it the state now, and each one that differs from the last.
  package func subscribe(_ subscriber: some StoreSubscriber<State>) {
    let all = StoreSignal<State>()
    let entry = StoreEntry(all, all.leavingOut(==), subscriber)
    entries.update(with: entry)
    if let state { all.send(nil, state) }
  }

  private func makeChain() -> Dispatch {
    middleware.reversed().reduce({ [unowned self] in reduce($0) }) { next, middleware in
      middleware({ [weak self] in self?.dispatch($0) }, { [weak self] in self?.state })(next)
    }
  }

  private func reduce(_ action: any StoreAction) {
    guard !isReducing.value else { fatalError("dispatched while an action is being reduced") }
    isReducing.change { $0 = true }
    let next = reducer(action, state)
    isReducing.change { $0 = false }
    state = next
  }
}

/// A value behind a queue: each look and each change is a block that is waited for.
struct QueueGuarded<Value> {
  private let queue = DispatchQueue(label: "benchmarks.store", attributes: .concurrent)
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { queue.sync { stored } }

  mutating func change(_ body: (inout Value) -> Void) {
    queue.sync(flags: .barrier) { body(&stored) }
  }
}
