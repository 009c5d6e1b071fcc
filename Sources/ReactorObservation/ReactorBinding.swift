public import Reactor
import ReactorRuntime

/// Binds a reactor to a view for as long as the view shows it, like ReactorKit's `View`, without a
/// user interface framework.
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
/// Releasing the binding unbinds as well. A binding that waits for its view binds when
/// ``viewIsReady()`` is called, and then only the reactor assigned last.
///
/// **Runs on** the view's actor, such as the main actor: it is not `Sendable`, and its closures are
/// called there. **Lifetime**: it keeps the bound reactor and the closure alive; capture the view
/// weakly.
public final class ReactorBinding<R: Reactor> {
  /// Creates the subscriptions of one binding.
  public typealias Bind = (R, ReactorSubscriptions) -> Void

  private let bind: Bind
  private var isReady: Bool
  private var subscriptions: ReactorSubscriptions?

  /// Creates a binding without a reactor.
  ///
  /// - Parameters:
  ///   - waitsForView: Whether to bind only after ``viewIsReady()``.
  ///   - bind: Creates the subscriptions; called once for every reactor that is bound.
  public init(waitsForView: Bool = false, _ bind: @escaping Bind) {
    self.bind = bind
    isReady = !waitsForView
  }

  /// Creates a binding of a view that is an actor, without keeping the view alive.
  ///
  /// ```swift
  /// binding = ReactorBinding(for: self) { screen, reactor, subscriptions in
  ///   subscriptions.observe(reactor.state, on: screen) { screen, state in screen.show(state) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - waitsForView: Whether to bind only after ``viewIsReady()``.
  ///   - bind: Creates the subscriptions; called on the view, once for every reactor that is bound.
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

  /// Notifies the binding that the view can show states: a reactor that was assigned before is
  /// bound.
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
    /// The running subscriptions, each with its task as soon as it has one.
    var running: [Int: Task<Void, Never>?] = [:]
    var lastID = 0
    var isOver = false
  }

  private let tasks = Guarded(Tasks())

  /// Creates a value without subscriptions; a ``ReactorBinding`` creates its own.
  public init() {}

  deinit { cancel() }

  /// Whether the subscriptions have ended.
  public var isCancelled: Bool { tasks.withLock { $0.isOver } }

  /// Calls a closure with every element of a sequence, on the main actor.
  ///
  /// **Order**: the observation begins at once, and no element from then on is missed. After the
  /// binding has ended, the closure is not called any more, not even with an element that was
  /// already being delivered. For a view that is an actor, see ``observe(_:on:_:)``.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - body: Called with each element.
  public func observe<S: AsyncSequence & Sendable>(
    _ sequence: S, _ body: @escaping @MainActor (S.Element) -> Void
  ) where S.Failure == Never, S.Element: Sendable {
    // Here, not in the task, so that elements before the task starts are not missed.
    let elements = sequence.makeAsyncIterator()
    task { @MainActor [weak self] in
      var elements = elements
      while let element = await elements.next(isolation: MainActor.shared) {
        guard let self, !isCancelled else { return }
        body(element)
      }
    }
  }

  /// Calls a closure with every element of a sequence, on a view that is an actor.
  ///
  /// As ``observe(_:_:)``; the view is not kept alive.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - view: The actor on which the closure is called.
  ///   - body: Called with each element.
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

  /// Runs an operation in a task that is cancelled when the binding ends.
  ///
  /// - Parameter operation: The operation; it keeps the isolation of its context.
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

  /// Ends all subscriptions, including those that are suspended.
  public func cancel() {
    let running = tasks.withLock { tasks in
      tasks.isOver = true
      defer { tasks.running = [:] }
      return tasks.running
    }
    for task in running.values { task?.cancel() }
  }
}
