public import Reactor
import ReactorRuntime

/// Binds a reactor to a view for as long as the view shows it: what ReactorKit's `View` does,
/// without a user interface.
///
/// ```swift
/// @MainActor final class CounterScreen {
///   private(set) lazy var counter = ReactorBinding<CounterReactor> {
///     [weak self] reactor, binding in
///     binding.observe(reactor.state.select(\.value)) { self?.show($0) }
///     binding.observe(reactor.outputs()) { self?.handle($0) }
///   }
/// }
///
/// screen.counter.reactor = CounterReactor()  // binds
/// screen.counter.reactor = nil               // unbinds: nothing more is shown
/// ```
///
/// Assigning a reactor binds it; assigning another, or the same one, unbinds first; `nil` unbinds.
/// Releasing the binding unbinds as well. A binding that waits for its view binds once
/// ``viewIsReady()`` has been called, and then only the reactor assigned last.
///
/// **Runs on** whatever its view runs on, the main actor, say: it is not `Sendable`, and what it
/// calls is called there. **Lifetime**: it holds the reactor that it binds, and the closure;
/// capture the view weakly.
public final class ReactorBinding<R: Reactor> {
  /// Makes the subscriptions of one binding.
  public typealias Bind = (R, ReactorSubscriptions) -> Void

  private let bind: Bind
  private var isReady: Bool
  private var subscriptions: ReactorSubscriptions?

  /// A binding without a reactor.
  ///
  /// - Parameters:
  ///   - waitsForView: Whether to bind only once the view says that it is ready.
  ///   - bind: Makes the subscriptions; called once for every reactor that is bound.
  public init(waitsForView: Bool = false, _ bind: @escaping Bind) {
    self.bind = bind
    isReady = !waitsForView
  }

  /// A binding of a view that is an actor of its own, which is not held.
  ///
  /// ```swift
  /// binding = ReactorBinding(for: self) { screen, reactor, subscriptions in
  ///   subscriptions.observe(reactor.state, on: screen) { screen, state in screen.show(state) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - waitsForView: Whether to bind only once the view says that it is ready.
  ///   - bind: Makes the subscriptions; called on the view, once for every reactor that is bound.
  public convenience init<View: Actor>(
    for view: isolated View, waitsForView: Bool = false,
    _ bind: @escaping @Sendable (isolated View, R, ReactorSubscriptions) -> Void
  ) {
    self.init(waitsForView: waitsForView) { [weak view] reactor, subscriptions in
      view?.assumeIsolated { bind($0, reactor, subscriptions) }
    }
  }

  deinit { subscriptions?.cancel() }

  /// The reactor that is shown.
  public var reactor: R? {
    didSet {
      subscriptions?.cancel()
      subscriptions = nil
      bindIfReady()
    }
  }

  /// Whether a reactor is bound now.
  public var isBound: Bool { subscriptions != nil }

  /// The view can show something now: a reactor that was assigned before is bound.
  public func viewIsReady() {
    guard !isReady else { return }
    isReady = true
    bindIfReady()
  }

  private func bindIfReady() {
    guard isReady, let reactor else { return }
    let subscriptions = ReactorSubscriptions()
    self.subscriptions = subscriptions
    bind(reactor, subscriptions)
  }
}

/// The subscriptions of one binding, which end together.
///
/// Holds: `tasks`, guarded by its own lock; tasks are cancelled outside it.
public final class ReactorSubscriptions: Sendable {
  private struct Tasks: Sendable {
    /// Each with its task, once it has one; those that have ended are not here.
    var running: [Int: Task<Void, Never>?] = [:]
    var lastID = 0
    var isOver = false
  }

  private let tasks = Guarded(Tasks())

  /// No subscriptions yet; a ``ReactorBinding`` makes its own.
  public init() {}

  deinit { cancel() }

  /// Whether they have ended.
  public var isCancelled: Bool { tasks.withLock { $0.isOver } }

  /// Calls a closure with every element of a sequence, on the main actor.
  ///
  /// Observation begins at once; nothing that fires from here on slips past. Once the binding has
  /// ended, the closure is not called any more, not even with an element that was on its way. For a
  /// view that is an actor of its own, see ``observe(_:on:_:)``.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - body: What to do with an element.
  public func observe<S: AsyncSequence & Sendable>(
    _ sequence: S, _ body: @escaping @MainActor (S.Element) -> Void
  ) where S.Failure == Never, S.Element: Sendable {
    // Here, not in the task: what happens before that begins is not to slip past.
    let elements = sequence.makeAsyncIterator()
    task { @MainActor [weak self] in
      var elements = elements
      while let element = await elements.next(isolation: MainActor.shared) {
        guard let self, !isCancelled else { return }
        body(element)
      }
    }
  }

  /// Calls a closure with every element of a sequence, on a view that is an actor of its own.
  ///
  /// The same as ``observe(_:_:)``; the view is not held.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - view: Where to call the closure.
  ///   - body: What to do with an element.
  public func observe<S: AsyncSequence & Sendable, View: Actor>(
    _ sequence: S, on view: View, _ body: @escaping @Sendable (isolated View, S.Element) -> Void
  ) where S.Failure == Never, S.Element: Sendable {
    let elements = sequence.makeAsyncIterator()
    task { [weak self, weak view] in
      var elements = elements
      while let element = await elements.next(isolation: nil) {
        guard let self, let view else { return }
        await self.deliver(element, to: view, body)
      }
    }
  }

  private func deliver<Element: Sendable, View: Actor>(
    _ element: Element, to view: isolated View, _ body: (isolated View, Element) -> Void
  ) {
    if !isCancelled { body(view, element) }
  }

  /// Runs something that ends with the binding: its task is cancelled then.
  ///
  /// - Parameter operation: What to run; where it uses something isolated, it runs there.
  public func task(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) {
    start(operation)
  }

  private func start(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) {
    let id = tasks.withLock { tasks -> Int? in
      guard !tasks.isOver else { return nil }
      tasks.lastID += 1
      tasks.running.updateValue(nil, forKey: tasks.lastID)
      return tasks.lastID
    }
    guard let id else { return }
    let task = PipelineTasks.inheriting { [weak self] in
      await operation()
      self?.tasks.withLock { _ = $0.running.removeValue(forKey: id) }
    }
    let isOver = tasks.withLock { tasks in
      if tasks.running.keys.contains(id) { tasks.running.updateValue(task, forKey: id) }
      return tasks.isOver
    }
    if isOver { task.cancel() }
  }

  /// Ends all of them, those in the middle of an `await` too.
  public func cancel() {
    let running = tasks.withLock { tasks in
      tasks.isOver = true
      defer { tasks.running = [:] }
      return tasks.running
    }
    for task in running.values { task?.cancel() }
  }
}
