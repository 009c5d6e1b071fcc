public import Synchronization

/// The same steps where `transform(mutation:)` is written: every mutation takes the way through it.
extension PipelineCore {
  /// ``take(_:number:on:)``, and waiting until what came at once has passed the hook.
  @inlinable
  func takeThroughHook(_ action: R.Action, number: UInt64, on reactor: isolated R) async {
    guard await isTurnFree(on: reactor) else { return drop(action, number: number) }
    // Whoever has got a slot came first.
    while Self.hasLanes, details.lanes.hasReady {
      await startReadyThroughHook(on: reactor)
      guard await isTurnFree(on: reactor) else { return drop(action, number: number) }
    }
    beginTurn(number)
    let listening = listeners.latest.load(ordering: .acquiring)
    // The turn lasts beyond this call: the action is not settled until it ends.
    ledger.begin(number)
    if enterLane(action, number: number, on: reactor) {
      await performThroughHook(action, number: number, on: reactor)
    }
    endTurn(number, on: reactor)
    if listening != 0 { listeners.tell(action, openedUpTo: listening) }
  }

  /// Starts the next action that has waited in a lane.
  @inlinable
  func startReadyThroughHook(on reactor: isolated R) async {
    // Chosen only when its turn has come: until then, it can be cancelled and dropped like the others.
    guard await isTurnFree(on: reactor), let (number, parked) = nextReady(on: reactor) else {
      return
    }
    beginTurn(number)
    details.lanes.slot = LaneSlot(parked.record, number)
    await performThroughHook(parked.action, number: number, on: reactor)
    endTurn(number, on: reactor)
  }

  /// The end has come before the action's turn.
  @inlinable
  func drop(_ action: R.Action, number: UInt64) {
    report(.actionDropped, action)
    settleIfIdle(number)
  }

  /// Waits for the turn under way: with both hooks and lanes, two tasks have turns to give.
  ///
  /// The turn is the caller's if it takes it before it suspends.
  ///
  /// - Returns: Whether there may be a turn; false once the reactor, or the hook's life, has ended.
  @inlinable
  func isTurnFree(on reactor: isolated R) async -> Bool {
    while taking != nil, !Task.isCancelled {
      let latch = Latch()
      details.waitingTurns.append(latch)
      await latch.wait()
    }
    return own.phase != .stopped && !Task.isCancelled
  }

  @inlinable
  func endTurn(_ number: UInt64, on reactor: isolated R) {
    ledger.end(number)
    finishTaking(number)
    leaveLane(on: reactor)
    let waiting = details.waitingTurns
    details.waitingTurns = []
    for latch in waiting { latch.open() }
  }

  @inlinable
  func performThroughHook(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) async {
    if ActionChain.isAnyOpen {
      await performInChainThroughHook(action, number: number, on: reactor)
    } else {
      await performNowThroughHook(action, number: number, on: reactor)
    }
  }

  @usableFromInline
  func performInChainThroughHook(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) async {
    await ActionChain.$current.withValue(ledger.chain(of: number)) {
      await performNowThroughHook(action, number: number, on: reactor)
    }
  }

  @inlinable
  func performNowThroughHook(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) async {
    details.isInsideMutate = true
    let stream = reactor.mutate(action: action)
    details.isInsideMutate = false
    switch stream.storage {
    case .empty: break
    case .just(let mutation):
      if isStillWanted(number, on: reactor) { await pass(mutation) }
    case .several(let mutations):
      for mutation in mutations where isStillWanted(number, on: reactor) { await pass(mutation) }
    case .run, .concat, .merge:
      begin(stream, for: action, number: number, on: reactor)
      if SimulatedExecutor.isActive { await Task.yield() }
      await letOpeningPass(number, on: reactor)
    }
  }

  @inlinable
  func pass(_ mutation: R.Mutation, of run: Run? = nil) async {
    let latch = Latch()
    let input = details.hooks?.mutationInput
    let chain = ActionChain.isAnyOpen ? ActionChain.current : nil
    if input?.push(mutation, ticket: .mutation(latch, of: run, in: chain)) == false, run == nil {
      report(.mutationDropped(mutation), nil)
    }
    await latch.wait()
  }

  /// Sends an effect's mutation through the hook, and returns once the hook has passed it on.
  @inlinable
  func pass(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) async {
    if attention.load(ordering: .acquiring) { attend(on: reactor) }
    switch run.standing.load(ordering: .acquiring) {
    case .live: await pass(mutation, of: run)
    case .cancelled, .endedCancelled: break
    case .ended: report(.emittedTooLate(mutation), run.action)
    }
    run.passing.subtract(1, ordering: .relaxed)
    // The waiting turn goes on when this effect next suspends: it is resumed from here, on the
    // reactor, which the effect is about to occupy.
    run.passed?.open()
  }

  /// Waits while an effect that has just begun has mutations in the hook, so that what it emits
  /// before it suspends elsewhere is reduced within its turn.
  @inlinable
  func letOpeningPass(_ number: UInt64, on reactor: isolated R) async {
    for run in ledger.works(of: number) {
      // One that never suspends anywhere else must not hold up the others for ever.
      var rest = EffectOpening<R.Mutation>.limit
      while run.passing.load(ordering: .relaxed) > 0, rest > 0, !Task.isCancelled {
        rest -= 1
        let latch = Latch()
        run.passed = latch
        await latch.wait()
      }
      run.passed = nil
    }
  }
}
