public import Reactor

/// A part of a reactor: a state with its own actions, mutations and reducer, and without an actor.
///
/// ```swift
/// struct Todos: ReactorPart {
///   enum Action { case add(String), remove(Int) }
///   struct State: Equatable { var titles: [String] = [] }
///
///   func reduce(state: inout State, mutation: Action) {
///     switch mutation {
///     case .add(let title): state.titles.append(title)
///     case .remove(let index): state.titles.remove(at: index)
///     }
///   }
/// }
/// ```
///
/// A reactor combines parts with plain enums and structs, in two lines for each part. The compiler
/// reports a part that is missing in a `switch`:
///
/// ```swift
/// actor AppReactor: Reactor {
///   enum Action { case todos(Todos.Action), timeline(Timeline.Action), logOut }
///   enum Mutation { case todos(Todos.Mutation), timeline(Timeline.Mutation) }
///   struct State { var todos = Todos.State(), timeline = Timeline.State() }
///
///   let initialState = State()
///   let pipeline = Pipeline()
///   let todos = Todos()
///   let timeline: Timeline
///
///   func mutate(action: Action) -> MutationStream<Mutation> {
///     switch action {
///     case .todos(let action):
///       todos.mutate(action: action, state: currentState.todos).map(Mutation.todos)
///     case .timeline(let action):
///       timeline.mutate(action: action, state: currentState.timeline).map(Mutation.timeline)
///     case .logOut: .of(.todos(.clear), .timeline(.clear))
///     }
///   }
///
///   func reduce(state: inout State, mutation: Mutation) {
///     switch mutation {
///     case .todos(let mutation): todos.reduce(state: &state.todos, mutation: mutation)
///     case .timeline(let mutation): timeline.reduce(state: &state.timeline, mutation: mutation)
///     }
///   }
/// }
/// ```
///
/// Parts may consist of parts in the same way. To run or test a part alone, use a ``PartReactor``.
/// If something appears and disappears with the state, and its effects have to end with it, make it
/// a reactor of its own: see `children(_:ending:make:output:)` of the pipeline.
public protocol ReactorPart<Action, State>: Sendable {
  /// The part's actions.
  associatedtype Action: Sendable
  /// One change of the part's state; by default the same type as ``Action``.
  associatedtype Mutation: Sendable = Action
  /// The part's state.
  associatedtype State: Sendable

  /// Converts an action to mutations, as ``/Reactor/ReactorRequirements/mutate(action:)`` does.
  ///
  /// **Runs on** the reactor, in its turn. An effect runs outside it, and has the state from before
  /// the effect began; leave what depends on a later state to `reduce`.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The part's current state.
  /// - Returns: The mutations; by default the action itself, if the action is a mutation.
  func mutate(action: Action, state: State) -> MutationStream<Mutation>

  /// Applies one mutation to the part's state.
  ///
  /// - Parameters:
  ///   - state: The part's state, modified in place.
  ///   - mutation: The mutation to apply.
  func reduce(state: inout State, mutation: Mutation)
}

extension ReactorPart where Mutation == Action {
  /// Returns the action as its own mutation.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: Not used.
  /// - Returns: The action.
  @inlinable
  public func mutate(action: Action, state: State) -> MutationStream<Mutation> { .just(action) }
}

extension ReactorPart {
  /// Applies one mutation to a part that may be absent: an optional, or an entry of a dictionary.
  ///
  /// ```swift
  /// case .editor(let mutation): editor.reduce(state: &state.editor, mutation: mutation)
  /// case .row(let id, let mutation): row.reduce(state: &state.rows[id], mutation: mutation)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The part's state.
  ///   - mutation: The mutation to apply; ignored if there is no state.
  @inlinable
  public func reduce(state: inout State?, mutation: Mutation) {
    guard var present = state.take() else { return }
    reduce(state: &present, mutation: mutation)
    state = present
  }
}
