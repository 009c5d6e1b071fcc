public import Reactor

/// A reactor that consists of parts: its mutations are ``PartMutation``s, and it needs no `reduce`.
///
/// ```swift
/// actor AppReactor: ComposedReactor {
///   enum Action { case todos(Todos.Action) }
///   struct State { var todos = Todos.State() }
///
///   let initialState = State()
///   let pipeline = Pipeline()
///   let todos = Todos()
///
///   func mutate(action: Action) -> MutationStream<PartMutation<State>> {
///     switch action {
///     case .todos(let action): todos.mutate(action: action, at: \.todos, of: currentState)
///     }
///   }
/// }
/// ```
///
/// A protocol of its own has the default `reduce`. In an extension of `Reactor`, that would take
/// part in the inference of the types of every reactor.
public protocol ComposedReactor: Reactor where Mutation == PartMutation<State> {}

extension ComposedReactor {
  /// Lets the mutation's part apply it.
  ///
  /// - Parameters:
  ///   - state: The state, modified in place.
  ///   - mutation: The mutation.
  @inlinable
  public func reduce(state: inout State, mutation: PartMutation<State>) {
    mutation.apply(to: &state)
  }
}

/// A part that consists of parts itself, and needs no `reduce`; see ``ComposedReactor``.
public protocol ComposedPart: ReactorPart where Mutation == PartMutation<State> {}

extension ComposedPart {
  /// Lets the mutation's part apply it.
  ///
  /// - Parameters:
  ///   - state: The state, modified in place.
  ///   - mutation: The mutation.
  @inlinable
  public func reduce(state: inout State, mutation: PartMutation<State>) {
    mutation.apply(to: &state)
  }
}
