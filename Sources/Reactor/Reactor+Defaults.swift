extension Reactor {
  /// The storage an author declares: `let pipeline = Pipeline()`.
  public typealias Pipeline = ReactorPipeline<Self>

  /// What ``Reactor/transform(action:)`` is given.
  public typealias Actions = ReactorActions<Self>

  /// What ``Reactor/transform(mutation:)`` is given.
  public typealias Mutations = ReactorMutations<Self>

  /// What ``Reactor/transform(state:)`` is given.
  public typealias States = ReactorStates<Self>

  /// Leads to nothing.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: No mutation.
  @inlinable
  public func mutate(action: Action) -> MutationStream<Mutation> { .empty }

  /// Forwards the report to the process-wide ``ReactorReports``.
  ///
  /// - Parameter report: What happened.
  public nonisolated func report(_ report: ReactorReport) { ReactorReports.deliver(report) }
}

extension Reactor where Mutation == Action {
  /// Passes the action through: it is its own mutation.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: The action.
  @inlinable
  public func mutate(action: Action) -> MutationStream<Mutation> { .just(action) }
}

extension Reactor where ActionSequence == ReactorActions<Self> {
  /// Lets every action through; costs nothing.
  ///
  /// - Parameter action: The actions as they were sent.
  /// - Returns: The same.
  @inlinable
  public func transform(action: ReactorActions<Self>) -> ReactorActions<Self> { action }
}

extension Reactor where Choice == NoLane {
  /// No lane: every effect overlaps with every other; costs nothing.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: None.
  @inlinable
  public func lane(for action: Action) -> NoLane { NoLane() }
}

extension Reactor where MutationSequence == ReactorMutations<Self> {
  /// Lets every mutation through; costs nothing.
  ///
  /// - Parameter mutation: The mutations as they were emitted.
  /// - Returns: The same.
  @inlinable
  public func transform(mutation: ReactorMutations<Self>) -> ReactorMutations<Self> { mutation }
}

extension Reactor where StateSequence == ReactorStates<Self> {
  /// Shows every state as it is; costs nothing.
  ///
  /// - Parameter state: Every state.
  /// - Returns: The same.
  @inlinable
  public func transform(state: ReactorStates<Self>) -> ReactorStates<Self> { state }
}
