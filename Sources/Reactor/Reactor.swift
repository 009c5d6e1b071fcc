/// A state machine that lives in an actor: actions go in, effects run, mutations fold into a state.
///
/// ```
/// send ─▶ transform(action:) ─▶ mutate ─▶ transform(mutation:) ─▶ reduce ─▶ transform(state:) ─▶ state
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
/// **Runs on** the actor: the hooks, ``mutate(action:)``, ``reduce(state:mutation:)`` and every effect
/// body that uses the reactor. Which executor that is stays the author's choice (`unownedExecutor`).
///
/// **Order**: actions are taken in the order ``send(_:)`` was called, over all threads. What an action
/// emits before its effect first suspends is reduced before the next action is taken. No two
/// reductions overlap.
///
/// **Lifetime**: the pipeline starts by itself when it is first needed. When the last reference to
/// the reactor goes, its effects are cancelled and its state streams end. An effect body that uses
/// `self` keeps the reactor until it ends, as any Swift task would; end such a reactor with ``stop(_:)``.
///
/// The shape is ReactorKit's; isolation, ordering and errors are this library's own.
public protocol Reactor: Actor {
  /// What may be asked of the reactor: the user's intent, or an event from outside.
  associatedtype Action: Sendable

  /// One change of the state; the same as ``Action`` unless the author says otherwise.
  associatedtype Mutation: Sendable = Action

  /// Everything an observer can see.
  associatedtype State: Sendable

  /// What the reactor says beside its state, through ``output(_:)``; by default nothing.
  associatedtype Output: Sendable = Never

  /// What ``transform(action:)`` returns; left alone, the stage does not exist.
  associatedtype ActionSequence: AsyncSequence<Action, Never> = ReactorActions<Self>

  /// What ``transform(mutation:)`` returns; left alone, the stage does not exist.
  associatedtype MutationSequence: AsyncSequence<Mutation, Never> = ReactorMutations<Self>

  /// What ``transform(state:)`` returns; left alone, the stage does not exist.
  associatedtype StateSequence: AsyncSequence<State, Never> = ReactorStates<Self>

  /// What ``lane(for:)`` returns, `Lane` or `Lane?`; left alone, no action has a lane.
  associatedtype Choice: LaneChoice = NoLane

  /// The state before the first mutation.
  ///
  /// Read once, on the reactor, when the pipeline starts.
  var initialState: State { get }

  /// The pipeline's storage: write `let pipeline = Pipeline()`.
  ///
  /// It belongs to one reactor, which is gone when its pipeline is.
  nonisolated var pipeline: ReactorPipeline<Self> { get }

  /// Shapes the actions on their way to ``mutate(action:)``: filter, debounce, merge others in.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated
  /// away from the reactor, by one task; hold the reactor weakly in its closures, or they keep it.
  ///
  /// **Order**: one action at a time; the next is asked for once the last one's mutations, as far as
  /// they came before a suspension, are reduced.
  ///
  /// **If it ends**, that is reported, and later actions go past it. A receipt follows its action
  /// through the hook until the hook asks for another: what `filter` drops settles then, and so does
  /// an action that an operator takes in to hold it or to read ahead (`debounce`, `share`). What comes
  /// of that action later has no receipt: `settled` does not wait for it, `cancel()` does not stop it.
  ///
  /// - Parameter action: The actions as they were sent; can be iterated once.
  /// - Returns: The actions to take.
  func transform(action: ReactorActions<Self>) -> ActionSequence

  /// Which lane an action's work runs in; `nil` for none, so that it overlaps with everything.
  ///
  /// **Runs on** the reactor, when the action is taken and before anything of it is begun; should be
  /// quick, and may read the state. Not written, it costs nothing.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: Its lane; see ``Lane``.
  func lane(for action: Action) -> Choice

  /// Turns an action into mutations: nothing, some at once, or an effect that emits them over time.
  ///
  /// **Runs on** the reactor. Effects of different actions overlap.
  ///
  /// **If it fails**, that effect ends, what it emitted stands, and the error is reported with the
  /// action; see ``ReactorReport``.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What the action leads to. By default nothing, or, where `Mutation` is `Action`, the
  ///   action itself.
  func mutate(action: Action) -> MutationStream<Mutation>

  /// Shapes the mutations on their way to ``reduce(state:mutation:)``: the place to merge the
  /// outside world in.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated
  /// away from the reactor, by one task; hold the reactor weakly in its closures, or they keep it.
  ///
  /// **Order**: one mutation at a time. `await emit(…)` returns when the hook asks for the next one,
  /// so with operators that pass each mutation on as it comes an effect still reads its own writes.
  /// An operator that holds mutations back (`debounce`) lets the effect go on before they are reduced.
  ///
  /// **If it ends**, that is reported, and later mutations go past it.
  ///
  /// - Parameter mutation: The mutations as they were emitted; can be iterated once.
  /// - Returns: The mutations to reduce.
  func transform(mutation: ReactorMutations<Self>) -> MutationSequence

  /// Folds one mutation into the state.
  ///
  /// **Runs on** the reactor; must not read `currentState`, which is `state` here, nor emit. It may
  /// send actions, which wait their turn.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  func reduce(state: inout State, mutation: Mutation)

  /// Shapes the states on their way to the observers; never feeds back into `reduce`.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated
  /// away from the reactor, by one task; hold the reactor weakly in its closures, or they keep it.
  ///
  /// **Order**: the first element is the initial state, then every state that `reduce` leaves.
  /// `currentState` does not pass here: it is the reduced truth.
  ///
  /// **If it ends**, that is reported, and later states go past it.
  ///
  /// - Parameter state: Every state, from the initial one on.
  /// - Returns: The states to show.
  func transform(state: ReactorStates<Self>) -> StateSequence

  /// Receives what must not vanish quietly: failed effects, refused and dropped actions, late work.
  ///
  /// **Runs on** whatever thread noticed, often the reactor's; return soon.
  ///
  /// - Parameter report: What happened, and to which action. By default it goes to
  ///   ``ReactorReports``, the one place for the whole process.
  nonisolated func report(_ report: ReactorReport)
}
