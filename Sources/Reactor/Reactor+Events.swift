extension Reactor {
  /// Opens a stream of the actions taken from now on.
  ///
  /// **Runs on** any thread. **Order**: as taken, each told once its turn is over, so that what it
  /// emitted at once is in the state; one that has to wait in its lane, or is dropped there, is
  /// told all the same, when it is taken. An effect that opens a stream does not find its own
  /// action in it. **Ends** when nothing more will be taken. See ``EventStream``.
  ///
  /// - Parameter isIncluded: Which actions it has; by default all. Called once for each, in order:
  ///   on the reactor or, where more than 64 streams wait, by a task. It should be quick and must
  ///   not send.
  /// - Returns: The stream.
  public nonisolated func actions(
    where isIncluded: (@Sendable (Action) -> Bool)? = nil
  ) -> EventStream<Action> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openActions(isIncluded) { core.events.leave() }
  }

  /// Opens a stream of the outputs from now on.
  ///
  /// ```swift
  /// let outputs = editor.outputs()
  /// editor.send(.save)
  /// if case .saved(let id) = await outputs.next() { close(id) }
  /// ```
  ///
  /// **Runs on** any thread. **Order**: as put out. See ``EventStream``.
  ///
  /// - Parameter isIncluded: Which outputs it has; by default all. Called once for each, in order:
  ///   on the reactor or, where more than 64 streams wait, by a task. It should be quick and must
  ///   not send.
  /// - Returns: The stream.
  public nonisolated func outputs(
    where isIncluded: (@Sendable (Output) -> Bool)? = nil
  ) -> EventStream<Output> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openOutputs(isIncluded) { core.events.leave() }
  }

  /// Puts something out, beside the state: for a parent, the command line, whoever listens.
  ///
  /// **Runs on** the reactor: in `mutate`, in an effect that uses it, in `reduce`. **Order**: after
  /// the states that were reduced before. An effect that has been cancelled is not silenced here:
  /// whether it still has something to say is its own affair. Without anybody who listens, it is
  /// gone: what must be seen by those who come late belongs in the state.
  ///
  /// - Parameter output: What to say.
  public func output(_ output: Output) {
    let core = pipeline.core
    // The action whose work puts something out, where that is known.
    let cause = ReactorCause.local
    core.tell(
      .output(output, of: cause?.reactor == identity ? cause?.action.rawValue : core.taking))
    core.putOut(.output(output))
  }

  /// Opens a stream that has an element for every ``restart(from:)`` from now on.
  package nonisolated func restarts() -> EventStream<Void> {
    let core = pipeline.core
    core.connect(self)
    return core.events.openRestarts { core.events.leave() }
  }
}
