extension Reactor {
  /// The state as reduced so far.
  ///
  /// **Runs on** the reactor: from outside, `await reactor.currentState`. A state can be read here
  /// before any observer is given it. It does not pass `transform(state:)`. Must not be read inside
  /// `reduce(state:mutation:)`, which has the state in its hands.
  @inlinable
  public var currentState: State { pipeline.core.current(on: self) }

  /// The states as a stream: the current one first, then every one after it.
  ///
  /// **Runs on** any thread. The stream does not keep the reactor alive. See ``StateStream``.
  @inlinable
  public nonisolated var state: StateStream<State> {
    let core = pipeline.core
    core.connect(self)
    // Whoever looks only after the end finds there what the last state was.
    _ = core.parts
    return StateStream(source: core)
  }
}
