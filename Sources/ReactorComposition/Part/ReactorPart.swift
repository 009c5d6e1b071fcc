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
/// A reactor is put together from parts by plain enums and structs, two lines for each, and the
/// compiler sees to it that none is forgotten:
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
/// Parts may consist of parts in the same way. One that is to run by itself, or be tested so, is
/// given to a ``PartReactor``; one that comes and goes with the state, and has effects that go with
/// it, is a reactor of its own: see `children(_:ending:make:output:)` of the pipeline.
public protocol ReactorPart<Action, State>: Sendable {
  /// What may be asked of the part.
  associatedtype Action: Sendable
  /// One change of its state; the same as ``Action`` unless the author says otherwise.
  associatedtype Mutation: Sendable = Action
  /// Its part of the state.
  associatedtype State: Sendable

  /// Turns an action into mutations, as ``/Reactor/ReactorRequirements/mutate(action:)`` does.
  ///
  /// **Runs on** the reactor, whose turn it is. An effect runs away from it, and has the state from
  /// the beginning; what it does with a later one is left to `reduce`, which has that.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The part's state now.
  /// - Returns: What the action leads to; by default the action itself, where that is a mutation.
  func mutate(action: Action, state: State) -> MutationStream<Mutation>

  /// Folds one mutation into the part's state.
  ///
  /// - Parameters:
  ///   - state: The part's state, edited in place.
  ///   - mutation: The change to make.
  func reduce(state: inout State, mutation: Mutation)
}

extension ReactorPart where Mutation == Action {
  /// Passes the action through: it is its own mutation.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: Not looked at.
  /// - Returns: The action.
  @inlinable
  public func mutate(action: Action, state: State) -> MutationStream<Mutation> { .just(action) }
}

extension ReactorPart {
  /// Folds one mutation into a part that may not be there: an optional, or an entry of a
  /// dictionary.
  ///
  /// ```swift
  /// case .editor(let mutation): editor.reduce(state: &state.editor, mutation: mutation)
  /// case .row(let id, let mutation): row.reduce(state: &state.rows[id], mutation: mutation)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The part's state.
  ///   - mutation: The change to make; left out where there is no state.
  @inlinable
  public func reduce(state: inout State?, mutation: Mutation) {
    guard var present = state.take() else { return }
    reduce(state: &present, mutation: mutation)
    state = present
  }
}
