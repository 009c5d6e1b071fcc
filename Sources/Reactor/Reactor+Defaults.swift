extension Reactor {
  /// The type of a reactor's storage, declared as `let pipeline = Pipeline()`.
  public typealias Pipeline = ReactorPipeline<Self>

  /// The input of ``ReactorHooks/transform(action:)``.
  public typealias Actions = ReactorActions<Self>

  /// The input of ``ReactorHooks/transform(mutation:)``.
  public typealias Mutations = ReactorMutations<Self>

  /// The input of ``ReactorHooks/transform(state:)``.
  public typealias States = ReactorStates<Self>

  /// Forwards the report to the process-wide ``ReactorReports``.
  ///
  /// - Parameter report: What happened.
  public nonisolated func report(_ report: ReactorReport) { ReactorReports.deliver(report) }
}

extension ReactorRequirements where Mutation == Action {
  /// Passes the action through: it is its own mutation.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: The action.
  @inlinable
  public func mutate(action: Action) -> MutationStream<Mutation> { .just(action) }
}

extension ReactorHooks where ActionSequence == ReactorActions<Self> {
  /// Passes every action through; costs nothing.
  ///
  /// - Parameter action: The actions as they were sent.
  /// - Returns: The same actions.
  @inlinable
  public func transform(action: ReactorActions<Self>) -> ReactorActions<Self> { action }
}

extension ReactorHooks where LaneResult == _NoLane {
  /// Assigns no lane: every effect overlaps with every other; costs nothing.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: None.
  @inlinable
  public func lane(for action: Action) -> _NoLane { _NoLane() }
}

extension ReactorHooks where MutationSequence == ReactorMutations<Self> {
  /// Passes every mutation through; costs nothing.
  ///
  /// - Parameter mutation: The mutations as they were emitted.
  /// - Returns: The same mutations.
  @inlinable
  public func transform(mutation: ReactorMutations<Self>) -> ReactorMutations<Self> { mutation }
}

extension ReactorHooks where StateSequence == ReactorStates<Self> {
  /// Passes every state through; costs nothing.
  ///
  /// - Parameter state: Every state.
  /// - Returns: The same states.
  @inlinable
  public func transform(state: ReactorStates<Self>) -> ReactorStates<Self> { state }
}
