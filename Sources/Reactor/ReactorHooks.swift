/// What an author of a ``Reactor`` may leave out: a lane, and three hooks.
///
/// Left out, each costs nothing. Written, it works, or it does not compile: with the right name and
/// label, a function that is `async` or throws, or returns something else, is an error. Name
/// ``LanedReactor``, ``ActionTransforming``, ``MutationTransforming``, ``StateTransforming`` beside
/// ``Reactor``, and one with a wrong name or label is an error too; ``ActionMutating`` does the
/// same for `mutate`.
public protocol ReactorHooks: _ReactorSpellings {
  /// What ``transform(action:)`` returns; left alone, there is no hook.
  associatedtype ActionSequence = ReactorActions<Self>

  /// What ``transform(mutation:)`` returns; left alone, there is no hook.
  associatedtype MutationSequence = ReactorMutations<Self>

  /// What ``transform(state:)`` returns; left alone, there is no hook.
  associatedtype StateSequence = ReactorStates<Self>

  /// What ``lane(for:)`` returns, `Lane` or `Lane?`; left alone, no action has a lane.
  associatedtype LaneResult: _LaneResult = _NoLane

  /// Shapes the actions on their way to ``ReactorRequirements/mutate(action:)``: filter, debounce,
  /// merge others in.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated
  /// away from the reactor, by one task; hold the reactor weakly in its closures, or they keep it.
  ///
  /// **Order**: one action at a time; the next is asked for once the last one's mutations, as far
  /// as they came before a suspension, are reduced.
  ///
  /// **If it ends**, that is reported, and later actions go past it. A receipt follows its action
  /// through the hook until the hook asks for another: what `filter` drops settles then, and so
  /// does an action that an operator takes in to hold it or to read ahead (`debounce`, `share`).
  /// What comes of that action later has no receipt: `settled` does not wait for it, `cancel()`
  /// does not stop it.
  ///
  /// - Parameter action: The actions as they were sent; can be iterated once.
  /// - Returns: The actions to take.
  func transform(action: ReactorActions<Self>) -> ActionSequence

  /// Which lane an action's work runs in; `nil` for none, so that it overlaps with everything.
  ///
  /// **Runs on** the reactor, when the action is taken and before anything of it is begun; should
  /// be quick, and may read the state. Not written, it costs nothing.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: Its lane; see ``Lane``.
  func lane(for action: Action) -> LaneResult

  /// Shapes the mutations on their way to ``ReactorRequirements/reduce(state:mutation:)``: the
  /// place to merge the outside world in.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated
  /// away from the reactor, by one task; hold the reactor weakly in its closures, or they keep it.
  ///
  /// **Order**: one mutation at a time. `await emit(…)` returns when the hook asks for the next
  /// one, so with operators that pass each mutation on as it comes an effect still reads its own
  /// writes. An operator that holds mutations back (`debounce`) lets the effect go on before they
  /// are reduced.
  ///
  /// **If it ends**, that is reported, and later mutations go past it.
  ///
  /// - Parameter mutation: The mutations as they were emitted; can be iterated once.
  /// - Returns: The mutations to reduce.
  func transform(mutation: ReactorMutations<Self>) -> MutationSequence

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
}

/// What must not be passed over; of no use to anybody else.
///
/// Each of these is satisfied by the function of ``ReactorHooks`` that it resembles, and by one
/// that differs from it in its effects or its result. Their names are what the compiler says when
/// the two are not the same.
public protocol _ReactorSpellings: ReactorRequirements {
  /// `lane(for:)`, however it was written.
  associatedtype _LaneMustNotBeAsyncOrThrow: _LaneResult = _NoLane
  /// `transform(action:)`, however it was written.
  associatedtype _ActionHookMustNotBeAsyncOrThrow = ReactorActions<Self>
  /// `transform(mutation:)`, however it was written.
  associatedtype _MutationHookMustNotBeAsyncOrThrow = ReactorMutations<Self>
  /// `transform(state:)`, however it was written.
  associatedtype _StateHookMustNotBeAsyncOrThrow = ReactorStates<Self>

  /// Never called.
  func lane(for action: Action) async throws -> _LaneMustNotBeAsyncOrThrow

  /// Never called.
  func transform(
    action: ReactorActions<Self>
  ) async throws -> _ActionHookMustNotBeAsyncOrThrow

  /// Never called.
  func transform(
    mutation: ReactorMutations<Self>
  ) async throws -> _MutationHookMustNotBeAsyncOrThrow

  /// Never called.
  func transform(
    state: ReactorStates<Self>
  ) async throws -> _StateHookMustNotBeAsyncOrThrow
}
