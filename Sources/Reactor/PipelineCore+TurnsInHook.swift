/// Turns that the hook's own task takes, where `transform(mutation:)` is written.
///
/// When the hook asks for the next mutation, the turn that waited for the last one is to go on, and
/// most often to end, and the next action is to be taken, whose mutation the hook then gets. To
/// wake the drain for that, and the drain to wake the hook, would be two threads for each action.
/// So the hook's task comes to the reactor and does it itself, as long as actions lead to one
/// mutation each. For anything else the drain is woken, which has waited meanwhile.
extension PipelineCore {
  /// Where the actions pass a hook as well, its task takes the turns.
  @inlinable static var canGoOnInHook: Bool { !hasActionHook }

  /// How the hook's task finds the next mutation.
  ///
  /// Not in a simulation, whose order of events is its own.
  @inlinable var nextMutation: HookChannel<R.Mutation>.Next {
    guard Self.canGoOnInHook, !SimulatedExecutor.isActive else { return { await $0.wait() } }
    return { [weak self] input in
      if input.isTurnAlone, let self, let reactor = self.reactor,
        let mutation = await self.goOn(from: input, on: reactor)
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
  func goOn(from input: HookChannel<R.Mutation>, on reactor: isolated R) -> R.Mutation? {
    guard let hooks = details.hooks, hooks.mutationInput === input, !input.isFinished,
      own.phase != .stopped, let passed = hooks.openTurn
    else { return nil }
    hooks.openTurn = nil
    endTurn(passed, on: reactor)
    while canTakeInHook(hooks), let (action, number) = nextAction(endingJob: false, on: reactor) {
      beginTurn(number)
      let listening = events.latest
      if Self.hasTurnsInLedger { ledger.begin(number) }
      if enterLane(action, number: number, on: reactor) {
        let stream = mutateThroughHook(action, number: number, on: reactor)
        switch stream.storage {
        case .empty: break
        case .just(let mutation) where listening == 0:
          guard isStillWanted(number, on: reactor) else { break }
          hooks.openTurn = number
          // The ticket is that of another turn, which may have brought something along.
          if hasCompany { input.changeTurn(to: details.turnContext) }
          return mutation
        default:
          hooks.leftTurn = .init(action, number: number, stream: stream, listening: listening)
          return nil
        }
      }
      endTurn(number, on: reactor)
      if listening != 0 { events.tell(action, openedUpTo: listening) }
    }
    return nil
  }

  /// Whether the hook's task may take another action: not without end, so that other tasks get a
  /// chance.
  @inlinable
  func canTakeInHook(_ hooks: PipelineHooks<R>) -> Bool {
    hooks.turnsLeft -= 1
    return hooks.turnsLeft > 0 && !Task.isCancelled && !(Self.hasLanes && details.lanes.hasReady)
  }

  /// Sends a turn's one mutation through the hook, whose task may go on with the turns after it.
  ///
  /// - Returns: When the hook has passed the last one on, or has left a turn to begin.
  @inlinable
  func passAndGoOn(_ mutation: R.Mutation, of number: UInt64, on reactor: isolated R) async {
    guard isStillWanted(number, on: reactor), let hooks = details.hooks else {
      return endTurn(number, on: reactor)
    }
    hooks.openTurn = number
    hooks.turnsLeft = Self.turnsAtATime
    await pass(mutation, of: number, on: reactor)
    if let open = hooks.openTurn.take() { endTurn(open, on: reactor) }
    if let left = hooks.leftTurn.take() { await perform(left, on: reactor) }
  }

  /// Goes on with a turn that the hook's task has left.
  @usableFromInline
  func perform(_ left: PipelineHooks<R>.LeftTurn, on reactor: isolated R) async {
    // It may have been cancelled since it was taken, and has not begun yet.
    if isStillWanted(left.number, on: reactor) {
      await performThroughHook(left.stream, of: left.action, number: left.number, on: reactor)
    }
    endTurn(left.number, on: reactor)
    if left.listening != 0 { events.tell(left.action, openedUpTo: left.listening) }
  }
}
