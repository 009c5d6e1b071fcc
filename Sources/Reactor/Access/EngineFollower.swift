/// An object outside this target that follows an engine's states, or only its end.
///
/// An engine passes each state to a follower of states, as it would to a subscriber. An engine
/// without followers does no work for this.
@usableFromInline
package protocol EngineFollower<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  /// Whether it gets the states, and takes part in the end; otherwise it is notified only of the
  /// release.
  var followsStates: Bool { get }

  /// The reactor begins, or begins again, with this state; called on the reactor.
  func begin(with state: State)

  /// A mutation has been reduced; called on the reactor, before the state is shown to anything
  /// else.
  func follow(_ state: State)

  /// The reactor drains, and its own work has ended; called until it returns `nil`.
  ///
  /// - Returns: What the drain has to wait for.
  func drain() -> EngineWait?

  /// The reactor ends, or has been released.
  ///
  /// - Returns: What has to end before everything of the reactor has ended.
  func end() -> EngineWait?

  /// Returns the work that the last end has cut short.
  nonisolated(nonsending) func abandoned() async -> [AbandonedWork]

  /// The reactor has been released; called once, on any thread and under no lock.
  func released()
}

/// Returns once something has ended.
@usableFromInline package typealias EngineWait = @Sendable () async -> Void

extension EngineFollower {
  package func begin(with state: State) { follow(state) }
  package func follow(_ state: State) {}
  package func drain() -> EngineWait? { nil }
  package func end() -> EngineWait? { nil }
  package nonisolated(nonsending) func abandoned() async -> [AbandonedWork] { [] }
  package func released() {}
}
