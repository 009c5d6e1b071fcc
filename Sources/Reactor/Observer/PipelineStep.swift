/// One step of a reactor, as a ``StepSink`` receives it.
///
/// An action is `taken`, then `begun`; or it is `taken`, `waits`, and is `begun` later. Its work
/// takes any number of steps. At last it is `ended`, exactly once, unless the reactor is released
/// before that. An action that is never performed is `skipped`, `noted` and `ended`. Behind a
/// hook over the actions, it has `enteredHook` before it is taken.
///
/// Mutations are numbered in the order in which they are reduced, from where a sink first received
/// states. A restart from another state skips one number.
@usableFromInline
package enum PipelineStep<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: Sendable {
  // MARK: The reactor

  /// It has been started or restarted, with this state.
  case began(State)
  /// Its end has begun: everything that was accepted has been taken.
  case stopping(StopMode)
  /// It has ended. Work that still runs was cancelled, and may end later.
  case stopped
  /// It has been released.
  case released
  /// For a journaled reactor: mutations up to this one are durable.
  case durable(upTo: Int)
  /// With the action whose work delivered it, if that is known.
  case output(Output, of: UInt64?)
  case report(ReactorReport)

  // MARK: Its actions

  /// An action has been dequeued, and enters `transform(action:)`.
  case enteredHook(Action, number: UInt64, StepArrival)
  /// An action has been dequeued and will not be performed: it was cancelled or dropped.
  case skipped(Action, number: UInt64, StepArrival)
  /// An action has been dequeued, or a hook has returned it, and its turn begins.
  case taken(Action, number: UInt64, StepArrival)
  /// It waits for a slot in its lane.
  case waits(number: UInt64, lane: LaneKey)
  /// `mutate` is about to be called for it.
  case begun(number: UInt64, lane: LaneKey?)
  /// Its turn is over, whether it has begun or waits: what it emitted at once is reduced.
  case turnEnded(Action, number: UInt64)
  /// It will not finish, for this reason; received before it has ended.
  case noted(number: UInt64, ActionOutcome)
  /// All its own work has ended. It has finished, unless another outcome was noted before.
  case ended(number: UInt64)

  // MARK: Its work

  case effectBegun(number: UInt64)
  case effectEnded(ObjectIdentifier, number: UInt64, EffectOutcome)
  /// A mutation was reduced, to this state.
  case reduced(Mutation, State, StepReduction)
}

/// How an action was taken.
@usableFromInline
package struct StepArrival: Sendable {
  /// The context from its sender.
  let context: ActionContext?
  /// The action from which a hook has made it, if it is a further one of another.
  let origin: UInt64?
  /// The number of actions that wait behind it.
  let behind: Int

  @usableFromInline
  init(context: ActionContext?, origin: UInt64?, behind: Int) {
    (self.context, self.origin, self.behind) = (context, origin, behind)
  }
}

/// Which mutation was reduced.
@usableFromInline
package struct StepReduction: Sendable {
  /// The number of the mutation, and of the state.
  @usableFromInline package let version: UInt64
  /// The action whose work emitted it, if that is known: a hook may have made the mutation, or may
  /// read ahead.
  @usableFromInline package let action: UInt64?
  /// The effect that emitted it, if one did, and a sink needs it.
  @usableFromInline let effect: ObjectIdentifier?

  @inlinable
  init(version: UInt64, action: UInt64?, effect: ObjectIdentifier?) {
    self.version = version
    self.action = action
    self.effect = effect
  }
}

extension EffectEnding {
  /// How an effect ended, as a step contains it.
  @usableFromInline
  func end(_ isCancelled: Bool) -> EffectOutcome {
    switch self {
    case _ where isCancelled: .cancelled
    case .failed(let error): error is CancellationError ? .cancelled : .failed(error)
    case .finished: .finished
    }
  }
}
