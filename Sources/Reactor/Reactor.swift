/// A state machine in an actor: it takes actions, runs effects, and reduces mutations into a state.
///
/// ```
/// send → transform(action:) → mutate → transform(mutation:) → reduce → transform(state:) → state
/// ```
///
/// An author writes three types, an initial state, one line of storage, and two functions:
///
/// ```swift
/// actor CounterReactor: Reactor {
///   enum Action { case increase, decrease }
///   enum Mutation { case add(Int) }
///   struct State: Equatable { var value = 0 }
///
///   let initialState = State()
///   let pipeline = Pipeline()
///
///   func mutate(action: Action) -> MutationStream<Mutation> {
///     switch action {
///     case .increase: .just(.add(1))
///     case .decrease: .just(.add(-1))
///     }
///   }
///
///   func reduce(state: inout State, mutation: Mutation) {
///     switch mutation {
///     case .add(let amount): state.value += amount
///     }
///   }
/// }
/// ```
///
/// ``ReactorRequirements`` has the members that have to be written, and ``ReactorHooks`` those that
/// can be left out. `some Reactor<Action, State>` is any reactor of these two types.
///
/// **Runs on** the actor: the hooks, ``ReactorRequirements/mutate(action:)``,
/// ``ReactorRequirements/reduce(state:mutation:)`` and every effect body that uses the reactor. The
/// author can choose its executor (`unownedExecutor`).
///
/// **Order**: actions are taken in the order ``send(_:)`` was called, over all threads. What an
/// action emits before its effect first suspends is reduced before the next action is taken. No two
/// reductions overlap.
///
/// **Lifetime**: the pipeline starts by itself when it is first needed. When the last reference to
/// the reactor is released, its effects are cancelled and its state streams end. An effect body
/// that uses `self` keeps the reactor alive until it ends, as any Swift task would. End such a
/// reactor with ``stop(_:)``.
///
/// The architecture is ReactorKit's. Isolation, ordering and errors are this library's own.
public protocol Reactor<Action, State>: ReactorHooks, Drainable
where
  ActionSequence: AsyncSequence<Action, Never>,
  MutationSequence: AsyncSequence<Mutation, Never>,
  StateSequence: AsyncSequence<State, Never>,
  ActionSequence == _ActionHookMustNotBeAsyncOrThrow,
  MutationSequence == _MutationHookMustNotBeAsyncOrThrow,
  StateSequence == _StateHookMustNotBeAsyncOrThrow,
  LaneResult == _LaneMustNotBeAsyncOrThrow
{
  /// The events that the reactor delivers beside its state, with ``output(_:)``; by default none.
  associatedtype Output: Sendable = Never

  /// The pipeline's storage: write `let pipeline = Pipeline()`.
  ///
  /// It belongs to exactly one reactor, and is released together with it.
  nonisolated var pipeline: ReactorPipeline<Self> { get }

  /// Receives reports of failed effects, refused and dropped actions, and late work.
  ///
  /// **Runs on** the thread that detected the problem, often the reactor's; return soon.
  ///
  /// - Parameter report: What happened, and to which action. By default it is passed to
  ///   ``ReactorReports``, the one place for the whole process.
  nonisolated func report(_ report: ReactorReport)

  /// Internal functions that are called where the reactor's type is known; do not implement it.
  static var _engine: _ReactorEngine<Self> { get }
}
