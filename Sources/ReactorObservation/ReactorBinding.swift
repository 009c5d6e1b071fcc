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
/// `R` is a reactor, or a ``/Reactor/ReactorScope`` for a view that uses a part of one.
///
/// Assigning a reactor binds it; assigning another, or the same one, unbinds first; `nil` unbinds.
/// Releasing the binding unbinds as well. A binding that waits for its view binds when
/// ``viewIsReady()`` is called, and then only the reactor assigned last.
///
/// **Runs on** the view's actor, such as the main actor: it is not `Sendable`, and its closures are
/// called there. **Lifetime**: it keeps the bound reactor and the closure alive; capture the view
/// weakly.
public final class ReactorBinding<R: Sendable> {
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
