/// What follows an engine from outside this target: its states, or only its end.
///
/// An engine with a follower of states shows each of them to it, as it would to a subscriber; an
/// engine without one does nothing for this.
@usableFromInline
package protocol EngineFollower<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  /// Whether it is given the states, and takes part in the end; otherwise only the release.
  var followsStates: Bool { get }

  /// The reactor begins, or begins again, with this state; on the reactor.
  func begin(with state: State)

  /// A mutation has been reduced; on the reactor, before anything else is shown the state.
  func follow(_ state: State)

  /// The reactor drains, and its own work has ended; called until it returns nothing.
  ///
  /// - Returns: What the drain has to wait for.
  func drain() -> EngineWait?

  /// The reactor ends, or has been released.
  ///
  /// - Returns: What has to end before everything of the reactor has ended.
  func end() -> EngineWait?

  /// What the last end has cut short.
  nonisolated(nonsending) func abandoned() async -> [AbandonedWork]

  /// The reactor has been released; once, on any thread and under no lock.
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
