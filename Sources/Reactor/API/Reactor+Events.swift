extension Reactor {
  /// Opens a stream of the actions taken from now on.
  ///
  /// **Runs on** any thread.
  ///
  /// **Order**: as taken. Each action is delivered once its turn is over, so that what it emitted
  /// at once is in the state. An action that has to wait in its lane, or is dropped there, is
  /// delivered all the same, when it is taken. An effect that opens a stream does not receive its
  /// own action.
  ///
  /// **Ends** when nothing more will be taken. See ``EventStream``.
  ///
  /// - Parameter isIncluded: Returns whether the stream has an action; by default all. Called once
  ///   for each, in order: on the reactor or, if more than 64 streams wait, by a task. It should be
  ///   quick and must not send.
  /// - Returns: The stream.
  public nonisolated func actions(
    where isIncluded: (@Sendable (Action) -> Bool)? = nil
  ) -> EventStream<Action> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openActions(isIncluded) { core.events.releaseUnneeded() }
  }

  /// Opens a stream of the outputs from now on.
  ///
  /// ```swift
  /// let outputs = editor.outputs()
  /// editor.send(.save)
  /// if case .saved(let id) = await outputs.next() { close(id) }
  /// ```
  ///
  /// **Runs on** any thread.
  ///
  /// **Order**: as ``output(_:)`` was called. See ``EventStream``.
  ///
  /// - Parameter isIncluded: Returns whether the stream has an output; by default all. Called once
  ///   for each, in order: on the reactor or, if more than 64 streams wait, by a task. It should be
  ///   quick and must not send.
  /// - Returns: The stream.
  public nonisolated func outputs(
    where isIncluded: (@Sendable (Output) -> Bool)? = nil
  ) -> EventStream<Output> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openOutputs(isIncluded) { core.events.releaseUnneeded() }
  }

  /// Delivers an output to all streams of ``outputs(where:)``, for example a parent's or a command
  /// line's.
  ///
  /// **Runs on** the reactor: in `mutate`, in `reduce`, or in an effect that uses the reactor.
  ///
  /// **Order**: after the states that were reduced before.
  ///
  /// **Cancellation**: outputs of an effect that has been cancelled are delivered too.
  ///
  /// Without a stream, the output is lost. Put into the state what a later observer has to see.
  ///
  /// - Parameter output: The output.
  public func output(_ output: Output) {
    let core = pipeline.core
    // The action whose work delivers the output, if that is known.
    let cause = ReactorCause.local
    core.notify(
      .output(output, of: cause?.reactor == identity ? cause?.action.rawValue : core.taking))
    core.releaseViaStage(.output(output))
  }

  /// Opens a stream that has an element for every ``restart(from:)`` from now on.
  package nonisolated func restarts() -> EventStream<Void> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openRestarts { core.events.releaseUnneeded() }
  }
}
