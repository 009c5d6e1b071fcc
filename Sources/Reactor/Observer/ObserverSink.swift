import ReactorRuntime

/// Receives the steps of a reactor for its observers.
///
/// It has the types of the steps, and passes them on to an ``ObservedReactor``, which is not
/// generic.
///
/// Holds: the noted outcomes of actions, guarded by its own lock; all else is the
/// ``ObservedReactor``'s.
@usableFromInline
final class ObserverSink<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: StepSink {
  @usableFromInline let observed: ObservedReactor
  /// Whether a hook can return another action under an action's number.
  private let replacesActions: Bool
  private let reportCycle: @Sendable (Action, UInt64) -> Void
  /// The outcomes of actions that will not finish, noted on any thread.
  private let outcomes = Guarded<[UInt64: ActionOutcome]>([:])

  init(
    _ observed: ObservedReactor, replacesActions: Bool,
    reportCycle: @escaping @Sendable (Action, UInt64) -> Void
  ) {
    self.observed = observed
    self.replacesActions = replacesActions
    self.reportCycle = reportCycle
  }

  @usableFromInline var needsMutations: Bool { observed.needs.contains(.mutations) }

  @usableFromInline
  func receive(_ step: PipelineStep<Action, Mutation, State, Output>) {
    switch step {
    case .began(let state): observed.start(state)
    case .stopping(let mode): observed.notify(.lifecycle, .stopping(mode))
    case .stopped: observed.stop()
    case .released: release()
    case .durable(let sequence): observed.notify(.lifecycle, .durable(upTo: sequence))
    case .output(let output, let number):
      observed.notify(.outputs, .output(output), of: number.flatMap { observed.known($0) })
    case .enteredHook(let action, let number, let arrival):
      take(action, number, arrival)
      observed.intoHook(number)
    case .skipped(let action, let number, let arrival),
      .taken(let action, let number, let arrival):
      take(action, number, arrival)
    case .waits(let number, let lane): observed.wait(number, in: lane)
    case .noted(let number, let outcome): note(number, outcome)
    case .ended(let number): end(number)
    case .effectEnded(let effect, _, let end): observed.endEffect(effect, end)
    case .reduced(let mutation, let state, let reduction):
      if needsMutations {
        observed.reduce(
          mutation, state, version: reduction.version, of: reduction.action, by: reduction.effect)
      }
    // These are delivered when their context is requested; reports are delivered where they are
    // detected.
    case .begun, .effectBegun, .report, .turnEnded: break
    }
  }

  // MARK: Actions

  private func take(_ action: Action, _ number: UInt64, _ arrival: StepArrival) {
    guard observed.isNew(number) else { return }
    if let context = arrival.context, context.isInObservationCycle {
      if observed.skip(number) { reportCycle(action, number) }
      return
    }
    observed.take(action, number, arrival)
  }

  private func note(_ number: UInt64, _ outcome: ActionOutcome) {
    outcomes.withLock { outcomes in
      if outcomes[number] == nil { outcomes[number] = outcome }
    }
  }

  private func end(_ number: UInt64) {
    let outcome = outcomes.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: number) }
    observed.end(number, as: outcome ?? .finished)
  }

  /// Open work ends with the reactor.
  private func release() {
    observed.endAllEffects()
    for action in observed.allOpen {
      let outcome = outcomes.withLock { $0.removeValue(forKey: action.number) }
      observed.end(action.number, as: outcome ?? .reactorEnded)
    }
    observed.notify(.lifecycle, .released)
  }

  // MARK: Contexts of work

  /// The context in which `mutate` is called for an action; by default the one that the action
  /// carries.
  @usableFromInline
  func context(
    aroundTurnOf action: Action, number: UInt64, in context: ActionContext?
  ) -> ActionContext? {
    // An action that was taken while there was no observer is delivered now.
    take(action, number, StepArrival(context: context, origin: nil, behind: 0))
    guard let known = observed.known(number) else { return context }
    return observed.begin(known, as: replacesActions ? action : nil, in: context)
  }

  /// The context in which an effect's body runs; by default that of its turn.
  @usableFromInline
  func context(
    aroundEffect effect: ObjectIdentifier, of number: UInt64, in context: ActionContext
  ) -> ActionContext {
    guard let known = observed.known(number) else { return context }
    return observed.beginEffect(effect, of: known, in: context)
  }
}
