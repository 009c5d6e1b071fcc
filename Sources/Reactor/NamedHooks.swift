// What an author names beside `Reactor` to have the compiler insist on a member that may be left
// out. The defaults are taken away again here, so that whatever is not exactly the member is an
// error.

/// A reactor that sorts its actions into lanes.
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
/// A lane works without this name too, if its spelling is right. With it, every other spelling is
/// an error, which says what is expected.
public protocol LanedReactor: Reactor where LaneResult == Lane? {
  /// Which lane an action's work runs in; see ``ReactorHooks/lane(for:)``.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: Its lane; `nil` for none.
  func lane(for action: Action) -> Lane?
}

/// A reactor that says what its actions lead to, also where a mutation is an action.
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
/// Where `Mutation` is `Action`, `mutate` may be left out, so that one with a wrong name or label,
/// or one that is `async` or throws, is passed over for the default. With this name, every other
/// spelling is an error, which says what is expected.
public protocol ActionMutating: Reactor {
  /// Turns an action into mutations; see ``ReactorRequirements/mutate(action:)``.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What the action leads to.
  func mutate(action: Action) -> MutationStream<Mutation>
}

/// A reactor that shapes its actions on their way to `mutate`.
///
/// A hook works without this name too, if its spelling is right. With it, every other spelling is
/// an error, which says what is expected.
public protocol ActionTransforming: Reactor {
  /// Shapes the actions; see ``ReactorHooks/transform(action:)``.
  ///
  /// - Parameter action: The actions as they were sent; can be iterated once.
  /// - Returns: The actions to take.
  func transform(action: ReactorActions<Self>) -> ActionSequence
}

/// A reactor that shapes its mutations on their way to `reduce`, or merges the outside world in.
///
/// A hook works without this name too, if its spelling is right. With it, every other spelling is
/// an error, which says what is expected.
public protocol MutationTransforming: Reactor {
  /// Shapes the mutations; see ``ReactorHooks/transform(mutation:)``.
  ///
  /// - Parameter mutation: The mutations as they were emitted; can be iterated once.
  /// - Returns: The mutations to reduce.
  func transform(mutation: ReactorMutations<Self>) -> MutationSequence
}

/// A reactor that shapes its states on their way to the observers.
///
/// A hook works without this name too, if its spelling is right. With it, every other spelling is
/// an error, which says what is expected.
public protocol StateTransforming: Reactor {
  /// Shapes the states; see ``ReactorHooks/transform(state:)``.
  ///
  /// - Parameter state: Every state, from the initial one on.
  /// - Returns: The states to show.
  func transform(state: ReactorStates<Self>) -> StateSequence
}

extension ActionMutating where Mutation == Action {
  /// Not there: an author who names ``ActionMutating`` writes it.
  @available(
    *, unavailable,
    message: "write 'func mutate(action: Action) -> MutationStream<Mutation>', exactly so"
  )
  public func mutate(action: Action) -> MutationStream<Mutation> { .just(action) }
}

extension ActionTransforming where ActionSequence == ReactorActions<Self> {
  /// Not there: an author who names ``ActionTransforming`` writes the hook.
  @available(
    *, unavailable,
    message:
      "write 'func transform(action: Actions) -> some AsyncSequence<Action, Never>', exactly so"
  )
  public func transform(action: ReactorActions<Self>) -> ReactorActions<Self> { action }
}

extension MutationTransforming where MutationSequence == ReactorMutations<Self> {
  /// Not there: an author who names ``MutationTransforming`` writes the hook.
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
  /// Not there: an author who names ``StateTransforming`` writes the hook.
  @available(
    *, unavailable,
    message: "write 'func transform(state: States) -> some AsyncSequence<State, Never>', exactly so"
  )
  public func transform(state: ReactorStates<Self>) -> ReactorStates<Self> { state }
}
