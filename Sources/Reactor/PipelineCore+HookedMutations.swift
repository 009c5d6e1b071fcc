public import Synchronization

/// The same steps where `transform(mutation:)` is written: every mutation takes the way through it.
extension PipelineCore {
  /// ``take(_:number:on:)``, and waiting until what came at once has passed the hook.
  @inlinable
  func takeThroughHook(
    _ action: R.Action, number: UInt64, with context: ActionContext? = nil,
    on reactor: isolated R
  ) async {
    // Before it waits: the hook may be done with it sooner than its turn comes.
    if Self.hasTurnsInLedger { ledger.begin(number) }
    if taking != nil || Task.isCancelled || own.phase == .stopped {
      guard await isTurnFree(on: reactor) else { return drop(action, number: number) }
    }
    // Whoever has got a slot came first.
    while Self.hasLanes, details.lanes.hasReady {
      await startReadyThroughHook(on: reactor)
      guard await isTurnFree(on: reactor) else { return drop(action, number: number) }
    }
    beginTurn(number)
    if let context { hand(over: context, to: number) }
    let listening = events.latest
    if enterLane(action, number: number, on: reactor) {
      let stream = mutateThroughHook(action, number: number, on: reactor)
      if case .just(let mutation) = stream.storage, Self.canGoOnInHook, listening == 0 {
        return await passAndGoOn(mutation, of: number, on: reactor)
      }
      await performThroughHook(stream, of: action, number: number, on: reactor)
    }
    endTurn(number, on: reactor)
    if listening != 0 { events.tell(action, openedUpTo: listening) }
  }

  /// Whether a turn is work that the ledger knows of.
  ///
  /// Where turns begin in the order of their actions, and nothing else ends them, it is enough to
  /// know which is under way.
  @inlinable
  static var hasTurnsInLedger: Bool { hasActionHook || hasLanes }

  /// Starts the next action that has waited in a lane.
  @inlinable
  func startReadyThroughHook(on reactor: isolated R) async {
    // Chosen only when its turn has come: until then, it can be cancelled and dropped like the
    // others.
    guard await isTurnFree(on: reactor), let (number, parked) = nextReady(on: reactor) else {
      return
    }
    beginTurn(number)
    details.lanes.slot = LaneSlot(parked.record, number)
    if let context = parked.context { hand(over: context, to: number) }
    let stream = mutateThroughHook(parked.action, number: number, on: reactor)
    await performThroughHook(stream, of: parked.action, number: number, on: reactor)
    endTurn(number, on: reactor)
  }

  /// The end has come before the action's turn.
  @inlinable
  func drop(_ action: R.Action, number: UInt64) {
    note(.neverBegun, of: number)
    report(.actionDropped, action, number)
    if Self.hasTurnsInLedger { ledger.end(number) } else { settleIfIdle(number) }
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
    if own.hasSkipped { _ = forgetSkipped(number) }
    if Self.hasTurnsInLedger { ledger.end(number) }
    details.turnContext = nil
    if Self.hasLanes { details.hooks?.turnAction = nil }
    finishTaking(number)
    leaveLane(on: reactor)
    if details.waitingTurns.isEmpty { return }
    let waiting = details.waitingTurns
    details.waitingTurns = []
    for latch in waiting { latch.open() }
  }

  /// Asks `mutate` what an action leads to, with what the action has brought along.
  ///
  /// That stays with the turn until it ends, whoever goes on with it.
  @inlinable
  func mutateThroughHook(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) -> MutationStream<R.Mutation> {
    if Self.hasLanes { details.hooks?.turnAction = action }
    if ActionChain.isAnyOpen || own.hasContexts {
      return mutateInContext(action, number: number, on: reactor)
    }
    details.isInsideMutate = true
    defer { details.isInsideMutate = false }
    return reactor.mutate(action: action)
  }

  @inlinable @inline(never)
  func mutateInContext(
    _ action: R.Action, number: UInt64, on reactor: isolated R
  ) -> MutationStream<R.Mutation> {
    beginContext(of: number)
    var stream = MutationStream<R.Mutation>.empty
    runInContext {
      details.isInsideMutate = true
      defer { details.isInsideMutate = false }
      stream = reactor.mutate(action: action)
    }
    return stream
  }

  /// Does what an action leads to.
  @inlinable
  func performThroughHook(
    _ stream: MutationStream<R.Mutation>, of action: R.Action, number: UInt64,
    on reactor: isolated R
  ) async {
    switch stream.storage {
    case .empty: break
    case .just(let mutation):
      if isStillWanted(number, on: reactor) {
        await pass(mutation, of: number, on: reactor)
      }
    case .several(let mutations):
      for mutation in mutations where isStillWanted(number, on: reactor) {
        await pass(mutation, of: number, on: reactor)
      }
    case .run, .concat, .merge, .decorated:
      begin(stream, for: action, number: number, on: reactor)
      if SimulatedExecutor.isActive { await Task.yield() }
      await letOpeningPass(number, on: reactor)
    }
  }

  /// Sends a mutation of the turn under way through the hook, and returns once it has passed it on.
  ///
  /// Being cancelled does not end the wait: whose turn it is has no task that is, before the input
  /// ends.
  @inlinable
  func pass(_ mutation: R.Mutation, of number: UInt64, on reactor: isolated R) async {
    guard let input = details.hooks?.mutationInput else { return }
    await Resumption.suspend(isolation: reactor) { turn in
      if !input.push(mutation, ticket: .turn(turn, in: details.turnContext)) {
        note(.reactorEnded, of: number)
        report(.mutationDropped(mutation), nil, number)
      }
    }
    if input.hasDroppedTurn { note(.reactorEnded, of: number) }
  }

  /// Sends an effect's mutation through the hook, and returns once the hook has passed it on.
  @inlinable
  func pass(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) async {
    if attention.load(ordering: .acquiring) { attend(on: reactor) }
    switch run.standing.load(ordering: .acquiring) {
    case .live: await passEmitted(mutation, of: run, on: reactor)
    case .cancelled, .endedCancelled: break
    case .ended: report(.emittedTooLate(mutation), run.action, run.number)
    }
    run.passing.subtract(1, ordering: .relaxed)
    // The waiting turn goes on when this effect next suspends: it is resumed from here, on the
    // reactor, which the effect is about to occupy.
    run.passed?.open()
  }

  @inlinable
  func passEmitted(
    _ mutation: R.Mutation, of run: Run, on reactor: isolated R
  ) async {
    let latch = Latch()
    let context = hasCompany ? contextOfCaller() : nil
    guard let input = details.hooks?.mutationInput else { return }
    if !input.push(mutation, ticket: .mutation(latch, of: run, in: context)) {
      note(.reactorEnded, of: run.number)
      report(.mutationDropped(mutation), run.action, run.number)
    }
    await latch.wait()
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
