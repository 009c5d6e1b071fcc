public import Reactor

/// A reactor that is isolated to the main actor, so that code there can read its state without
/// `await`.
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
/// The reactor has to declare the executor itself, since the compiler uses only a declaration in
/// the actor. If it is missing, the first read stops the program.
public protocol MainActorReactor: Reactor {}

extension MainActorReactor {
  /// The state as reduced so far, without `await`.
  ///
  /// **Runs on** the main actor, where no code of the reactor can run meanwhile. Actions sent in
  /// the current job of the main actor have not been taken yet.
  @MainActor public var stateNow: State { assumeIsolated { $0.currentState } }
}
