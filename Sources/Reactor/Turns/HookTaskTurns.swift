public import ReactorMachines

/// Turns that the hook's own task takes, where `transform(mutation:)` is written.
///
/// When the hook asks for the next mutation, the turn that waited for the last one is to go on, and
/// most often to end, and the next action is to be taken, whose mutation the hook then gets. To
/// wake the drain for that, and the drain to wake the hook, would be two threads for each action.
/// So the hook's task comes to the reactor and does it itself, as long as actions lead to one
/// mutation each. For anything else the drain is woken, which has waited meanwhile.
extension PipelineCore {
  /// Where the actions pass a hook as well, its task takes the turns.
  @inlinable static var canTakeInHookTask: Bool { !hasActionHook }

  /// How the hook's task finds the next mutation.
  ///
  /// Not in a simulation, whose order of events is its own.
  @inlinable var nextMutation: HookChannel<R.Mutation>.Next {
    guard Self.canTakeInHookTask, !SimulatedExecutor.isActive else { return { await $0.wait() } }
    return { [weak self] input in
      if input.isTurnAlone, let self, let reactor = self.reactor,
        let mutation = await self.takeInHookTask(from: input, on: reactor)
      {
        return mutation
      }
      return await input.wait()
    }
  }

  /// Ends the turn whose mutation the hook has passed on, and takes the next.
  ///
  /// The drain waits, and is taken to wait for the new one.
  ///
  /// - Returns: What the next turn waits for; `nil` where the drain has to be woken.
  @inlinable
  func takeInHookTask(from input: HookChannel<R.Mutation>, on reactor: isolated R) -> R.Mutation? {
    guard let hooks = details.hooks, hooks.inputs.mutations === input, !input.isFinished,
      phase != .stopped, let passed = hooks.turns.open.take()
    else { return nil }
    closeTurn(passed, on: reactor)
    while mayTakeInHookTask(hooks), let next = nextAction(endingJob: false, on: reactor) {
      let number = next.number
      if Self.hasTurnsInLedger { ledger.begin(number) }
      var turn = openTurn(
        next.action, number: number, isInLedger: Self.hasTurnsInLedger, with: next.context,
        on: reactor)
      if turn.listening != 0 { turn = told(turn) }
      if mayBegin(turn, on: reactor) {
        let stream = mutateThroughHook(turn, on: reactor)
        if let mutation = stream.onlyMutation, turn.listening == 0 {
          if isStillWanted(number, on: reactor) {
            hooks.turns.open = turn
            // The ticket is that of another turn, which may have brought something along.
            if hasCompany { input.changeTurn(to: details.turnContext) }
            return mutation
          }
        } else if !stream.isNothing {
          hooks.turns.unfinished = (turn, stream)
          return nil
        }
      }
      closeTurn(turn, on: reactor)
    }
    return nil
  }

  /// Whether the hook's task may take another action: not without end, so that other tasks get a
  /// chance.
  @inlinable
  func mayTakeInHookTask(_ hooks: Hooks) -> Bool {
    hooks.turns.rest -= 1
    return hooks.turns.rest > 0 && !Task.isCancelled && !(Self.hasLanes && details.lanes.hasReady)
  }

  /// Sends a turn's one mutation through the hook, whose task may go on with the turns after it.
  ///
  /// - Returns: When the hook has passed the last one on, or has left a turn to begin.
  @inlinable
  func passAndGoOnInHookTask(
    _ mutation: R.Mutation, of turn: Turn<R.Action>, on reactor: isolated R
  ) async {
    guard isStillWanted(turn.number, on: reactor), let hooks = details.hooks else {
      return closeTurn(turn, on: reactor)
    }
    hooks.turns.open = turn
    hooks.turns.rest = Self.turnsAtATime
    await pass(mutation, of: turn.number, on: reactor)
    if let open = hooks.turns.open.take() { closeTurn(open, on: reactor) }
    if let (turn, stream) = hooks.turns.unfinished.take() {
      await finish(turn, stream, on: reactor)
    }
  }

  /// Goes on with a turn that the hook's task has left to the drain.
  @usableFromInline
  func finish(
    _ turn: Turn<R.Action>, _ stream: MutationStream<R.Mutation>, on reactor: isolated R
  ) async {
    // It may have been cancelled since it was taken, and has not begun yet.
    if isStillWanted(turn.number, on: reactor) {
      await carryOutThroughHook(stream, of: turn, on: reactor)
    }
    closeTurn(turn, on: reactor)
  }
}
