public import Reactor

/// Mirrors a reactor's state on the main actor for a user interface.
///
/// Each property that is read through it is tracked by the standard `Observation` module.
///
/// ```swift
/// let counter = await ObservedReactor(CounterReactor())
/// counter.value                        // tracked: observers are notified when it changes
/// counter.send(.increase)
/// counter.set(\.name, to: "Ada") { .setName($0) }   // shown at once, and sent
/// ```
///
/// **Runs on** the main actor. **Order**: it shows states in order, never an older one after a
/// newer one; under load it skips to the newest. When an observer is notified of a change, the new
/// value is readable in the next job of the main actor, as with any `Observable`.
///
/// **Lifetime**: it keeps its reactor alive; the reactor does not keep it alive. After the reactor
/// has been stopped, the last state stays; after a `restart(from:)` the mirror continues with the
/// new states.
///
/// A value written with `set(_:to:sending:)` is shown until its action has been performed; from
/// then on, the reactor's own value is shown. Behind a `transform(state:)` that lags, an older
/// value may be shown in between.
@MainActor
public final class ObservedReactor<R: Reactor>: ObservedScope<R, R.Action, R.State> {
  /// Creates a mirror that begins with the reactor's current state.
  ///
  /// - Parameter reactor: The reactor.
  public convenience init(_ reactor: R) async {
    self.init(reactor, beginningWith: await reactor.currentState)
  }

  /// Creates a mirror that shows a given state until it has received the reactor's own.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - state: The state to show first.
  public init(_ reactor: R, beginningWith state: R.State) {
    super.init(reactor.scope({ $0 }, action: { $0 }), beginningWith: state)
  }
}
