public import Reactor

/// A reactor that lives on the main actor: what is there can read its state without waiting.
///
/// ```swift
/// actor Counter: MainActorReactor {
///   nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }
///   …
/// }
///
/// @MainActor func title(of counter: Counter) -> String { "\(counter.stateNow.value)" }
/// ```
///
/// The executor has to be written, as the compiler looks for it in the actor itself. Whoever leaves
/// it out is told so, by a stop, at the first read.
public protocol MainActorReactor: Reactor {}

extension MainActorReactor {
  /// The state as reduced so far, at once.
  ///
  /// **Runs on** the main actor, where nothing of the reactor can run meanwhile. What has been sent
  /// here in this very turn of the main actor has yet to be taken.
  @MainActor public var stateNow: State { assumeIsolated { $0.currentState } }
}
