public import ReactorMachines
public import Synchronization

/// Turns where `transform(mutation:)` is written: every mutation takes the way through it, and the
/// turn waits for it to come out.
extension PipelineCore {
  /// The drain's: takes what waits, until nothing does.
  @inlinable
  func drainThroughHook(on reactor: isolated R) async {
    while true {
      // Where there is to be no turn any more, the inbox is read on: behind it is the end.
      if hasReady, await startReadyThroughHook(on: reactor) { continue }
      guard let next = nextAction(endingJob: true, on: reactor) else { return }
      if Self.hasActionHook {
        handOn(next, on: reactor)
      } else {
        await takeThroughHook(next.action, number: next.number, with: next.context, on: reactor)
      }
    }
  }

  /// ``take(_:number:with:on:)``, and waiting until what came at once has passed the hook.
  @inlinable
  func takeThroughHook(
    _ action: R.Action, number: UInt64, with context: ActionContext? = nil,
    on reactor: isolated R
  ) async {
    // Before it waits: the hook may be done with it sooner than its turn comes.
    if Self.hasTurnsInLedger { ledger.begin(number) }
    if taking != nil || Task.isCancelled || phase == .stopped {
      guard await isTurnFree(on: reactor) else { return drop(action, number: number) }
    }
    // Whoever has got a slot came first.
    while Self.hasLanes, details.lanes.hasReady {
      let mayGoOn = await startReadyThroughHook(on: reactor)
      guard mayGoOn, await isTurnFree(on: reactor) else { return drop(action, number: number) }
    }
    var turn = openTurn(
      action, number: number, isInLedger: Self.hasTurnsInLedger, with: context, on: reactor)
    if turn.listening != 0 { turn = told(turn) }
    if mayBegin(turn, on: reactor) {
      await carryOutThroughHook(mutateThroughHook(turn, on: reactor), of: turn, on: reactor)
    }
    closeTurn(turn, on: reactor)
  }

  /// Whether a turn is work that the ledger knows of.
  ///
  /// Where turns begin in the order of their actions, and nothing else ends them, it is enough to
  /// know which is under way.
  @inlinable static var hasTurnsInLedger: Bool { hasActionHook || hasLanes }

  /// Starts the next action that has waited in a lane.
  ///
  /// - Returns: Whether there may be turns; if not, whoever waits is dropped when the end comes.
  @inlinable
  func startReadyThroughHook(on reactor: isolated R) async -> Bool {
    // Chosen only when its turn has come: until then, it can be cancelled and dropped like the
    // others.
    guard await isTurnFree(on: reactor) else { return false }
    guard let (number, parked) = nextReady(on: reactor) else { return true }
    let turn = openTurn(parked, number: number, on: reactor)
    await carryOutThroughHook(mutateThroughHook(turn, on: reactor), of: turn, on: reactor)
    closeTurn(turn, on: reactor)
    return true
  }

  /// The end has come before the action's turn.
  @inlinable
  func drop(_ action: R.Action, number: UInt64) {
    note(.neverBegun, of: number)
    report(.actionDropped, action, number)
    if Self.hasTurnsInLedger { endWork(of: number) } else { settleUntaken(number) }
  }

  /// Waits for the turn under way: with both hooks and lanes, two tasks have turns to give.
  ///
  /// The turn is the caller's if it takes it before it suspends.
  ///
  /// - Returns: Whether there may be a turn; false once the reactor, or the hook's life, has ended,
  ///   or `stop()` has been called again: the hook would drop whatever the turn leads to.
  @inlinable
  func isTurnFree(on reactor: isolated R) async -> Bool {
    while taking != nil, !Task.isCancelled {
      let latch = Latch()
      details.waitingTurns.append(latch)
      await latch.wait()
    }
    return phase != .stopped && !Task.isCancelled
      && details.hooks?.inputs.mutations?.isFinished != true
  }

  /// Asks `mutate` what an action leads to, with what the action has brought along.
  ///
  /// That stays with the turn until it ends, whoever goes on with it.
  @inlinable
  func mutateThroughHook(
    _ turn: Turn<R.Action>, on reactor: isolated R
  ) -> MutationStream<R.Mutation> {
    if Self.hasLanes { details.hooks?.turns.action = turn.action }
    details.isInsideMutate = true
    defer { details.isInsideMutate = false }
    guard mayHaveContext else { return reactor.mutate(action: turn.action) }
    var stream = MutationStream<R.Mutation>.empty
    inContext(of: turn, on: reactor) { stream = mutateInStages(turn.action, on: reactor) }
    return stream
  }

  /// Does what an action leads to: what comes at once passes the hook first.
  @inlinable
  func carryOutThroughHook(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) async {
    if let mutations = stream.atOnce {
      for mutation in mutations where isStillWanted(turn.number, on: reactor) {
        await pass(mutation, of: turn.number, on: reactor)
      }
    } else {
      if case .tree(let tree) = stream.storage {
        begin(tree, of: turn, on: reactor)
      } else {
        begin(stream, of: turn, on: reactor)
      }
      if SimulatedExecutor.isActive { await Task.yield() }
      await letOpeningPass(turn.number, on: reactor)
    }
  }

  /// Sends a mutation of the turn under way through the hook, and returns once it has passed it on.
  ///
  /// Being cancelled does not end the wait: whose turn it is has no task that is, before the input
  /// ends.
  @inlinable
  func pass(_ mutation: R.Mutation, of number: UInt64, on reactor: isolated R) async {
    guard let input = details.hooks?.inputs.mutations else { return }
    await Resumption.suspend(isolation: reactor) { turn in
      if !input.push(mutation, ticket: .turn(turn, in: details.turnContext)) {
        note(.reactorEnded, of: number)
        report(.mutationDropped(mutation), nil, number)
      }
    }
    if input.hasDroppedTurn { note(.reactorEnded, of: number) }
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
