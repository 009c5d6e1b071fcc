/// The optional members of a ``Reactor``: a lane, and three hooks.
///
/// A member that is left out costs nothing. A member that is written works, or does not compile:
/// with the right name and label, a function that is `async` or throws, or returns something else,
/// is an error. If ``LanedReactor``, ``ActionTransforming``, ``MutationTransforming`` or
/// ``StateTransforming`` is named beside ``Reactor``, a wrong name or label is an error too.
/// ``ActionMutating`` does the same for `mutate`.
public protocol ReactorHooks: _ReactorMemberChecks {
  /// The result of ``transform(action:)``; by default there is no hook.
  associatedtype ActionSequence = ReactorActions<Self>

  /// The result of ``transform(mutation:)``; by default there is no hook.
  associatedtype MutationSequence = ReactorMutations<Self>

  /// The result of ``transform(state:)``; by default there is no hook.
  associatedtype StateSequence = ReactorStates<Self>

  /// The result of ``lane(for:)``, `Lane` or `Lane?`; by default no action has a lane.
  associatedtype LaneResult: _LaneResult = _NoLane

  /// Transforms the actions before ``ReactorRequirements/mutate(action:)``: filters, debounces, or
  /// merges others in.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated by
  /// one task, outside the reactor. Capture the reactor weakly in its closures, or they keep it
  /// alive.
  ///
  /// **Order**: one action at a time. The next one is requested once the last one's mutations, as
  /// far as they were emitted before a suspension, are reduced.
  ///
  /// **If it ends**, that is reported, and later actions bypass it. A receipt follows its action
  /// through the hook until the hook requests another: an action that `filter` drops settles then,
  /// and so does one that an operator takes in to hold it or to read ahead (`debounce`, `share`).
  /// What results from that action later has no receipt: `settled` does not wait for it, and
  /// `cancel()` does not stop it.
  ///
  /// - Parameter action: The actions as they were sent; can be iterated once.
  /// - Returns: The actions to take.
  func transform(action: ReactorActions<Self>) -> ActionSequence

  /// Returns the lane that an action's work runs in; `nil` for none, so that it overlaps with
  /// everything.
  ///
  /// **Runs on** the reactor, when the action is taken and before any of its work begins. It should
  /// be quick, and can read the state. If it is not written, it costs nothing.
  ///
  /// - Parameter action: The action being taken.
  /// - Returns: Its lane; see ``Lane``.
  func lane(for action: Action) -> LaneResult

  /// Transforms the mutations before ``ReactorRequirements/reduce(state:mutation:)``, and merges in
  /// those of other sources.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated by
  /// one task, outside the reactor. Capture the reactor weakly in its closures, or they keep it
  /// alive.
  ///
  /// **Order**: one mutation at a time. `await emit(…)` returns when the hook requests the next
  /// one. With operators that pass each mutation on as it comes, an effect therefore still reads
  /// its own writes. An operator that holds mutations back (`debounce`) lets the effect continue
  /// before they are reduced.
  ///
  /// **If it ends**, that is reported, and later mutations bypass it.
  ///
  /// - Parameter mutation: The mutations as they were emitted; can be iterated once.
  /// - Returns: The mutations to reduce.
  func transform(mutation: ReactorMutations<Self>) -> MutationSequence

  /// Transforms the states before they are delivered to subscribers; has no effect on `reduce`.
  ///
  /// **Runs on** the reactor, once, when the pipeline starts. The returned sequence is iterated by
  /// one task, outside the reactor. Capture the reactor weakly in its closures, or they keep it
  /// alive.
  ///
  /// **Order**: the first element is the initial state, then every state that `reduce` leaves.
  /// `currentState` does not pass through it: that is the state as reduced.
  ///
  /// **If it ends**, that is reported, and later states bypass it.
  ///
  /// - Parameter state: Every state, from the initial one on.
  /// - Returns: The states to publish.
  func transform(state: ReactorStates<Self>) -> StateSequence
}

/// Internal: makes the compiler reject an optional member that would otherwise be ignored.
///
/// Each requirement is satisfied by the function of ``ReactorHooks`` with the same name and label,
/// and also by one that differs in its effects or its result. Its name is in the compiler's message
/// if the two are not the same.
public protocol _ReactorMemberChecks: ReactorRequirements {
  /// The result of `lane(for:)` as it was written.
  associatedtype _LaneMustNotBeAsyncOrThrow: _LaneResult = _NoLane
  /// The result of `transform(action:)` as it was written.
  associatedtype _ActionHookMustNotBeAsyncOrThrow = ReactorActions<Self>
  /// The result of `transform(mutation:)` as it was written.
  associatedtype _MutationHookMustNotBeAsyncOrThrow = ReactorMutations<Self>
  /// The result of `transform(state:)` as it was written.
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
