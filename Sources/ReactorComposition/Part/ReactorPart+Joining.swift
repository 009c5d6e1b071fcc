public import Reactor

extension ReactorPart {
  /// Converts an action of the part to mutations of a whole state: the one line that joins a part
  /// to a reactor.
  ///
  /// ```swift
  /// case .todos(let action): todos.mutate(action: action, at: \.todos, of: currentState)
  /// ```
  ///
  /// - Parameters:
  ///   - action: The part's action.
  ///   - path: The place of the part's state.
  ///   - state: The whole state now.
  /// - Returns: The mutations; see ``PartMutation``.
  @inlinable
  public func mutate<Whole: Sendable>(
    action: Action, at path: any WritableKeyPath<Whole, State> & Sendable, of state: Whole
  ) -> MutationStream<PartMutation<Whole>> {
    mutate(action: action, state: state[keyPath: path])
      .map { PartMutation($0, of: self, at: path) }
  }

  /// Converts an action of a part that may be absent to mutations of a whole state.
  ///
  /// ```swift
  /// case .row(let id, let action): row.mutate(action: action, at: \.rows[id], of: currentState)
  /// ```
  ///
  /// - Parameters:
  ///   - action: The part's action; ignored if there is no state.
  ///   - path: The place of the part's state: an optional, or an entry of a dictionary.
  ///   - state: The whole state now.
  /// - Returns: The mutations; those that come after the state has been removed are ignored.
  @inlinable
  public func mutate<Whole: Sendable>(
    action: Action, at path: any WritableKeyPath<Whole, State?> & Sendable, of state: Whole
  ) -> MutationStream<PartMutation<Whole>> {
    guard let present = state[keyPath: path] else { return .empty }
    return mutate(action: action, state: present).map { PartMutation($0, of: self, at: path) }
  }

  /// Offers the part an action of any type; the part takes those of its own type.
  ///
  /// For a reactor whose actions are distinguished by their types, as in ReSwift, where every
  /// reducer receives every action:
  ///
  /// ```swift
  /// func mutate(action: any AppAction) -> MutationStream<PartMutation<State>> {
  ///   .merge(
  ///     user.mutate(broadcast: action, at: \.user, of: currentState),
  ///     favourites.mutate(broadcast: action, at: \.favourites, of: currentState))
  /// }
  /// ```
  ///
  /// A part whose `Action` is itself `any AppAction` receives all of them.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - path: The place of the part's state.
  ///   - state: The whole state now.
  /// - Returns: The mutations; none if the action is of another type.
  public func mutate<Whole: Sendable>(
    broadcast action: any Sendable, at path: any WritableKeyPath<Whole, State> & Sendable,
    of state: Whole
  ) -> MutationStream<PartMutation<Whole>> {
    guard let action = action as? Action else { return .empty }
    return mutate(action: action, at: path, of: state)
  }
}
