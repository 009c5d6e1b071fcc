/// A state machine that lives in an actor: actions go in, effects run, mutations fold into a state.
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
/// **Runs on** the actor: the hooks, ``ReactorRequirements/mutate(action:)``,
/// ``ReactorRequirements/reduce(state:mutation:)`` and every effect body that uses the reactor.
/// Which executor that is stays the author's choice (`unownedExecutor`).
///
/// **Order**: actions are taken in the order ``send(_:)`` was called, over all threads. What an
/// action emits before its effect first suspends is reduced before the next action is taken. No two
/// reductions overlap.
///
/// **Lifetime**: the pipeline starts by itself when it is first needed. When the last reference to
/// the reactor goes, its effects are cancelled and its state streams end. An effect body that uses
/// `self` keeps the reactor until it ends, as any Swift task would; end such a reactor with
/// ``stop(_:)``.
///
/// **What it consists of** stands in ``ReactorRequirements``, which has to be written, and in
/// ``ReactorHooks``, which may be left out. `some Reactor<Action, State>` is any reactor of these
/// two.
///
/// The shape is ReactorKit's; isolation, ordering and errors are this library's own.
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
  /// What the reactor says beside its state, through ``output(_:)``; by default nothing.
  associatedtype Output: Sendable = Never

  /// The pipeline's storage: write `let pipeline = Pipeline()`.
  ///
  /// It belongs to one reactor, which is gone when its pipeline is.
  nonisolated var pipeline: ReactorPipeline<Self> { get }

  /// Receives what must not vanish quietly: failed effects, refused and dropped actions, late work.
  ///
  /// **Runs on** whatever thread noticed, often the reactor's; return soon.
  ///
  /// - Parameter report: What happened, and to which action. By default it goes to
  ///   ``ReactorReports``, the one place for the whole process.
  nonisolated func report(_ report: ReactorReport)

  /// The library's own: what it calls where the reactor's type is known; not to be written.
  static var _engine: _ReactorEngine<Self> { get }
}
