public import Reactor

/// A reactor that is one ``ReactorPart``: Redux's store, made of a reducer, a state and middleware.
///
/// ```swift
/// let store = PartReactor(Todos(), from: Todos.State(), through: [Logging()])
/// store.send(.add("milk"))
/// ```
public actor PartReactor<Part: ReactorPart>: Reactor {
  /// What may be asked of the part.
  public typealias Action = Part.Action
  /// One change of its state.
  public typealias Mutation = Part.Mutation
  /// Its state.
  public typealias State = Part.State

  /// The state that it was made with.
  public nonisolated let initialState: Part.State
  /// The reactor's storage.
  public nonisolated let pipeline: ReactorPipeline<PartReactor>
  @usableFromInline let part: Part

  /// A reactor of one part.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - state: The state before the first mutation.
  ///   - name: What it is called in reports.
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

  /// Asks the part.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What it leads to.
  @inlinable
  public func mutate(action: Part.Action) -> MutationStream<Part.Mutation> {
    part.mutate(action: action, state: currentState)
  }

  /// Has the part fold a mutation into the state.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  @inlinable
  public func reduce(state: inout Part.State, mutation: Part.Mutation) {
    part.reduce(state: &state, mutation: mutation)
  }
}
