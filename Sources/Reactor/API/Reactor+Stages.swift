extension Reactor {
  /// Adds a stage before `mutate`, while the reactor runs.
  ///
  /// ```swift
  /// let stage = await list.addStage { list, action, mutate in
  ///   mutate(action).onEnd { outcome, took in log(action, outcome, took) }
  /// }
  /// stage.remove()
  /// ```
  ///
  /// A stage receives every action in its turn, and returns what it leads to. It calls `mutate`
  /// with the same action or another one, once, several times or not at all, and can change the
  /// result. What belongs to the reactor's type is better written there, in its hooks and in
  /// `mutate`. A stage is for temporary behaviour: a trial, a measurement, a test. To refuse
  /// actions, use an ``ActionMiddleware``, which returns the reason to the sender.
  ///
  /// **Runs on** the reactor, within the action's turn. Like `mutate`, it must be quick. The action
  /// has passed `transform(action:)` and has its lane by then.
  ///
  /// **Order**: the stage that was added first is called first, and calls the next one. A stage
  /// applies from the next action on that is taken, also after ``restart(from:)``.
  ///
  /// - Parameter stage: Receives the reactor, the action, and the rest of the chain.
  /// - Returns: A registration that removes it; it can be ignored.
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
    core.turnState.features.insert(.stages)
    return Registration { [weak stage] in stage?.remove() }
  }

  /// Replaces each effect of a name by another stream; intended for tests.
  ///
  /// ```swift
  /// await list.replaceEffect("load", with: .just(.found(["milk"])))
  /// ```
  ///
  /// **Runs on** the reactor, and applies from the next action on that is taken. See
  /// ``MutationStream/named(_:)`` and ``MutationStream/replacing(_:with:)``.
  ///
  /// - Parameters:
  ///   - name: The effect's name.
  ///   - stream: The stream to run instead.
  /// - Returns: A registration that restores the original effect; it can be ignored.
  @discardableResult
  public func replaceEffect(
    _ name: String, with stream: MutationStream<Mutation>
  ) -> Registration {
    addStage { _, action, mutate in mutate(action).replacing(name, with: stream) }
  }
}
