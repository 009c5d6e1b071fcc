extension Reactor {
  /// The state as reduced so far.
  ///
  /// **Runs on** the reactor: from outside, `await reactor.currentState`. It must not be read
  /// inside `reduce(state:mutation:)`, which has exclusive access to the state.
  ///
  /// **Order**: a state can be read here before it is delivered to any subscriber. It does not pass
  /// `transform(state:)`.
  @inlinable
  public var currentState: State { pipeline.core.current(on: self) }

  /// The states as a stream: the current one first, then every later one.
  ///
  /// **Runs on** any thread. The stream does not keep the reactor alive. See ``StateStream``.
  @inlinable
  public nonisolated var state: StateStream<State> {
    let core = pipeline.core
    core.connect(self)
    // Made now, so that a subscriber that first reads after the end finds the last state there.
    _ = core.concurrentState
    return StateStream(source: core)
  }
}
