public import Reactor

/// A reactor that consists of one ``ReactorPart``, like a Redux store made of a reducer, a state
/// and middleware.
///
/// ```swift
/// let store = PartReactor(Todos(), from: Todos.State(), through: [Logging()])
/// store.send(.add("milk"))
/// ```
public actor PartReactor<Part: ReactorPart>: Reactor {
  /// The part's actions.
  public typealias Action = Part.Action
  /// The part's mutations.
  public typealias Mutation = Part.Mutation
  /// The part's state.
  public typealias State = Part.State

  /// The state that the reactor was created with.
  public nonisolated let initialState: Part.State
  /// The reactor's storage.
  public nonisolated let pipeline: ReactorPipeline<PartReactor>
  @usableFromInline let part: Part

  /// Creates a reactor of one part.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - state: The state before the first mutation.
  ///   - name: The reactor's name in reports.
  ///   - middleware: The stages that its actions pass.
  public init(
    _ part: Part, from state: Part.State, named name: String? = nil,
    through middleware: [any ActionMiddleware] = []
  ) {
    self.part = part
    initialState = state
    pipeline =
      middleware.isEmpty ? Pipeline(named: name) : Pipeline(named: name, through: middleware)
  }

  /// Calls the part's `mutate`.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: The mutations.
  @inlinable
  public func mutate(action: Part.Action) -> MutationStream<Part.Mutation> {
    part.mutate(action: action, state: currentState)
  }

  /// Calls the part's `reduce`.
  ///
  /// - Parameters:
  ///   - state: The state, modified in place.
  ///   - mutation: The mutation to apply.
  @inlinable
  public func reduce(state: inout Part.State, mutation: Part.Mutation) {
    part.reduce(state: &state, mutation: mutation)
  }
}
