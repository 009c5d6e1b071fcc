// Protocols that an author names beside `Reactor`, so that the compiler requires a member that is
// otherwise optional. The defaults are made unavailable here, so that anything but the exact member
// is an error.

/// A reactor that must define ``ReactorHooks/lane(for:)``.
///
/// ```swift
/// actor DocumentReactor: LanedReactor {
///   func lane(for action: Action) -> Lane? {
///     action.writesToDisk ? .sequential("disk") : nil
///   }
///   …
/// }
/// ```
///
/// A lane that is spelled correctly works without this protocol, too. With it, every other spelling
/// is an error that says what is expected.
public protocol LanedReactor: Reactor where LaneResult == Lane? {
  /// Returns the lane that an action's work runs in; see ``ReactorHooks/lane(for:)``.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: Its lane; `nil` for none.
  func lane(for action: Action) -> Lane?
}

/// A reactor that must define `mutate(action:)`, even if its mutations are its actions.
///
/// ```swift
/// actor PlaylistReactor: ActionMutating {
///   func mutate(action: Action) -> MutationStream<Action> {
///     isOpen ? .just(action) : .empty
///   }
///   …
/// }
/// ```
///
/// If `Mutation` is `Action`, `mutate` can be left out. A function with a wrong name or label, or
/// one that is `async` or throws, is then ignored, and the default is used. With this protocol,
/// every other spelling is an error that says what is expected.
public protocol ActionMutating: Reactor {
  /// Turns an action into mutations; see ``ReactorRequirements/mutate(action:)``.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What the action leads to.
  func mutate(action: Action) -> MutationStream<Mutation>
}

/// A reactor that must define ``ReactorHooks/transform(action:)``.
///
/// A hook that is spelled correctly works without this protocol, too. With it, every other spelling
/// is an error that says what is expected.
public protocol ActionTransforming: Reactor {
  /// Transforms the actions; see ``ReactorHooks/transform(action:)``.
  ///
  /// - Parameter action: The actions as they were sent; can be iterated once.
  /// - Returns: The actions to take.
  func transform(action: ReactorActions<Self>) -> ActionSequence
}

/// A reactor that must define ``ReactorHooks/transform(mutation:)``.
///
/// A hook that is spelled correctly works without this protocol, too. With it, every other spelling
/// is an error that says what is expected.
public protocol MutationTransforming: Reactor {
  /// Transforms the mutations; see ``ReactorHooks/transform(mutation:)``.
  ///
  /// - Parameter mutation: The mutations as they were emitted; can be iterated once.
  /// - Returns: The mutations to reduce.
  func transform(mutation: ReactorMutations<Self>) -> MutationSequence
}

/// A reactor that must define ``ReactorHooks/transform(state:)``.
///
/// A hook that is spelled correctly works without this protocol, too. With it, every other spelling
/// is an error that says what is expected.
public protocol StateTransforming: Reactor {
  /// Transforms the states; see ``ReactorHooks/transform(state:)``.
  ///
  /// - Parameter state: Every state, from the initial one on.
  /// - Returns: The states to publish.
  func transform(state: ReactorStates<Self>) -> StateSequence
}

extension ActionMutating where Mutation == Action {
  /// Unavailable: an author who names ``ActionMutating`` writes the function.
  @available(
    *, unavailable,
    message: "write 'func mutate(action: Action) -> MutationStream<Mutation>', exactly so"
  )
  public func mutate(action: Action) -> MutationStream<Mutation> { .just(action) }
}

extension ActionTransforming where ActionSequence == ReactorActions<Self> {
  /// Unavailable: an author who names ``ActionTransforming`` writes the hook.
  @available(
    *, unavailable,
    message:
      "write 'func transform(action: Actions) -> some AsyncSequence<Action, Never>', exactly so"
  )
  public func transform(action: ReactorActions<Self>) -> ReactorActions<Self> { action }
}

extension MutationTransforming where MutationSequence == ReactorMutations<Self> {
  /// Unavailable: an author who names ``MutationTransforming`` writes the hook.
  @available(
    *, unavailable,
    message: """
      write 'func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never>', \
      exactly so
      """
  )
  public func transform(mutation: ReactorMutations<Self>) -> ReactorMutations<Self> { mutation }
}

extension StateTransforming where StateSequence == ReactorStates<Self> {
  /// Unavailable: an author who names ``StateTransforming`` writes the hook.
  @available(
    *, unavailable,
    message: "write 'func transform(state: States) -> some AsyncSequence<State, Never>', exactly so"
  )
  public func transform(state: ReactorStates<Self>) -> ReactorStates<Self> { state }
}
