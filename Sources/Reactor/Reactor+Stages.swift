extension Reactor {
  /// Puts a stage before `mutate`, while the reactor runs.
  ///
  /// ```swift
  /// let stage = await list.addStage { list, action, mutate in
  ///   mutate(action).onEnd { outcome, took in log(action, outcome, took) }
  /// }
  /// stage.remove()
  /// ```
  ///
  /// A stage sees every action when its turn has come, and says what it leads to: it calls on with
  /// the same action or another one, once, several times or not at all, and may change what comes
  /// of that. What belongs to the reactor's type is written there, in its hooks and in `mutate`; a
  /// stage is for what comes and goes: a trial, a measurement, a test. What forbids actions belongs
  /// into an ``ActionMiddleware``, which gives the reason to whoever sent them.
  ///
  /// **Runs on** the reactor, within the action's turn; it must be quick, as `mutate`. The action
  /// has been through `transform(action:)` and has its lane by then. **Order**: the first one added
  /// is asked first, and calls on to the next. It counts from the next action on that is taken, and
  /// through ``restart(from:)``.
  ///
  /// - Parameter stage: Is given the reactor, the action, and what comes after it.
  /// - Returns: The way to take it out; it may be ignored.
  @discardableResult
  public func addStage(
    _ stage:
      @escaping @Sendable (
        _ reactor: isolated Self, _ action: Action,
        _ mutate: (Action) -> MutationStream<Mutation>
      ) -> MutationStream<Mutation>
  ) -> Registration {
    let stage = PipelineStage<Self, Action, Mutation>(stage)
    let core = pipeline.core
    core.details.stages.append(stage)
    core.own.around.insert(.stages)
    return Registration { [weak stage] in stage?.remove() }
  }

  /// Puts another stream in place of each effect of a name: for tests.
  ///
  /// ```swift
  /// await list.replaceEffect("load", with: .just(.found(["milk"])))
  /// ```
  ///
  /// **Runs on** the reactor, and counts from the next action on that is taken. See
  /// ``MutationStream/named(_:)`` and ``MutationStream/replacing(_:with:)``.
  ///
  /// - Parameters:
  ///   - name: The effect's name.
  ///   - stream: What is to run instead.
  /// - Returns: The way back to the effect as it is; it may be ignored.
  @discardableResult
  public func replaceEffect(
    _ name: String, with stream: MutationStream<Mutation>
  ) -> Registration {
    addStage { _, action, mutate in mutate(action).replacing(name, with: stream) }
  }
}
