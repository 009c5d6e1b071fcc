import Observation

/// A view whose reactor is bound as soon as both are there: the reactor, and what the view shows it
/// with.
///
/// It is the counterpart of ReactorKit's `StoryboardView`.
///
/// ```swift
/// @MainActor @Observable final class CounterScreen: DeferredReactorView {
///   let deferredBinding = DeferredBinding<CounterReactor>()
///   var label: Label?                                    // loaded later
///   var isViewLoaded: Bool { label != nil }
///
///   func bind(reactor: CounterReactor, subscriptions: ReactorSubscriptions) {
///     subscriptions.observe(reactor.state.select(\.value)) { [weak self] value in
///       self?.label?.show(value)
///     }
///   }
/// }
///
/// screen.reactor = CounterReactor()  // not bound yet
/// screen.label = Label()             // bound in the next job of the main actor
/// ```
///
/// `isViewLoaded` is that of `UIViewController` and `NSViewController`. Where `Observation` tracks
/// what it reads, as above, nothing has to be called. A view controller, which `Observation` does
/// not track, calls ``viewIsReady()`` in `viewDidLoad()`; `Examples/Screens` has a base class that
/// does so for all of its subclasses.
///
/// **Runs on** the main actor. Assigning another reactor unbinds first; `nil` unbinds. A view whose
/// `isViewLoaded` is true when a reactor is assigned is bound at once.
@MainActor
public protocol DeferredReactorView: AnyObject, Sendable {
  /// What is bound: a reactor, or a ``/Reactor/ReactorScope``.
  associatedtype Bound: Sendable

  /// The storage: write `let deferredBinding = DeferredBinding<CounterReactor>()`.
  var deferredBinding: DeferredBinding<Bound> { get }

  /// Whether the view can show states.
  var isViewLoaded: Bool { get }

  /// Creates the subscriptions of one binding.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - subscriptions: They end when another reactor is assigned, and with the view. Capture the
  ///     view weakly.
  func bind(reactor: Bound, subscriptions: ReactorSubscriptions)
}

extension DeferredReactorView {
  /// The reactor that is shown, or will be once the view is loaded.
  public var reactor: Bound? {
    get { deferredBinding.binding?.reactor }
    set {
      let binding = deferredBinding.binding(of: self)
      deferredBinding.bindWhenLoaded(self)
      binding.reactor = newValue
    }
  }

  /// Binds the reactor that was assigned before, if there is one.
  ///
  /// Call it in `viewDidLoad()` of a class whose `isViewLoaded` is not tracked by `Observation`.
  /// Later calls have no effect.
  public func viewIsReady() { deferredBinding.binding(of: self).viewIsReady() }
}

/// The storage of a ``DeferredReactorView``.
@MainActor
public final class DeferredBinding<Bound: Sendable> {
  fileprivate var binding: ReactorBinding<Bound>?
  private var isTracking = false

  /// Creates a storage without a reactor.
  public nonisolated init() {}

  fileprivate func binding<View: DeferredReactorView>(of view: View) -> ReactorBinding<Bound>
  where View.Bound == Bound {
    if let binding { return binding }
    let new = ReactorBinding<Bound>(waitsForView: true) { [weak view] reactor, subscriptions in
      view?.bind(reactor: reactor, subscriptions: subscriptions)
    }
    binding = new
    return new
  }

  /// Calls `viewIsReady` if the view is loaded, or else once a property has changed that says so.
  fileprivate func bindWhenLoaded<View: DeferredReactorView>(_ view: View)
  where View.Bound == Bound {
    guard !isTracking else { return }
    let isLoaded = withObservationTracking {
      view.isViewLoaded
    } onChange: { [weak self, weak view] in
      // The property has its new value in the next job of the main actor.
      Task { @MainActor in
        self?.isTracking = false
        if let view { self?.bindWhenLoaded(view) }
      }
    }
    isTracking = !isLoaded
    if isLoaded { view.viewIsReady() }
  }
}
