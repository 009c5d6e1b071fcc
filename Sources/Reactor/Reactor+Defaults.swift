extension Reactor {
  /// The storage an author declares: `let pipeline = Pipeline()`.
  public typealias Pipeline = ReactorPipeline<Self>

  /// What ``Reactor/transform(action:)`` is given.
  public typealias Actions = HookInput<Action>

  /// What ``Reactor/transform(mutation:)`` is given.
  public typealias Mutations = HookInput<Mutation>

  /// What ``Reactor/transform(state:)`` is given, and what ``Reactor/state`` is.
  public typealias States = StateStream<State>

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

extension Reactor where Mutation == Never {
  /// Never called: there is no mutation.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - mutation: Nothing.
  @inlinable
  public func reduce(state: inout State, mutation: Never) {}
}

extension Reactor where ActionSequence == HookInput<Action> {
  /// Lets every action through; costs nothing.
  ///
  /// - Parameter action: The actions as they were sent.
  /// - Returns: The same.
  @inlinable
  public func transform(action: HookInput<Action>) -> HookInput<Action> { action }
}

extension Reactor where MutationSequence == HookInput<Mutation> {
  /// Lets every mutation through; costs nothing.
  ///
  /// - Parameter mutation: The mutations as they were emitted.
  /// - Returns: The same.
  @inlinable
  public func transform(mutation: HookInput<Mutation>) -> HookInput<Mutation> { mutation }
}

extension Reactor where StateSequence == StateStream<State> {
  /// Shows every state as it is; costs nothing.
  ///
  /// - Parameter state: Every state.
  /// - Returns: The same.
  @inlinable
  public func transform(state: StateStream<State>) -> StateStream<State> { state }
}
