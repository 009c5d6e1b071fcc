public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// From the inbox to the state: a job takes actions, each action has its turn, and its mutations
/// are reduced.
///
/// Every turn runs the same steps: it is opened, the action enters its lane, `mutate` is called,
/// immediate mutations are reduced and effects are begun, and the turn is closed. Usually that
/// happens without suspending, in ``take(_:on:)``. With a `transform(mutation:)`, and in a
/// simulation, the turn suspends before it is closed, in ``takeSuspending(_:on:)``: until the hook
/// has passed the mutations on, and until the effects have begun.
extension Engine {
  // MARK: Jobs

  /// How many actions are taken before other work on the reactor may run.
  @inlinable static var turnsAtATime: Int { 1024 }

  /// The number of actions taken at a time from which a job expects more.
  @inlinable static var turnsOfABurst: UInt64 { 8 }

  /// Whether a turn is over when it has been taken, so that many turns run without suspending.
  @inlinable static var takesAtOnce: Bool { !hasMutationHook && !SimulatedExecutor.isActive }

  /// Whether every accepted action has been taken, and the end has to continue.
  @inlinable var isEndDue: Bool { turnState.batch.isEmpty && inbox.isEndDue }

  /// Takes the waiting actions, as far as possible without suspending.
  ///
  /// Usually that is all that a job has to do. It is a separate function, since one that may
  /// suspend has a frame, which its task allocates and frees: 420 instructions.
  ///
  /// - Returns: Whether that was all; if not, ``drain(on:)`` continues.
  @inlinable
  func drainAtOnce(on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard Self.takesAtOnce, !takeRound(on: reactor), !isEndDue else { return false }
    removeUnused(on: reactor)
    return true
  }

  /// Takes the rest of the waiting actions, and carries out the end if it is due.
  @inlinable
  func drain(on reactor: isolated R) async {
    start(on: reactor)
    if !Self.takesAtOnce {
      await drainSuspending(on: reactor)
    } else {
      if !isEndDue { await Task.yield() }
      // Until the job has ended, also if the end is due: what is requested during the end, or after
      // a restart, needs a job of its own.
      while takeRound(on: reactor) { await Task.yield() }
    }
    if isEndDue { await stop(on: reactor) }
    removeUnused(on: reactor)
  }

  /// Takes a round of waiting actions, for a job.
  ///
  /// If there were many, more are likely to follow. Making another job for them costs their sender
  /// far more than another check costs this job, so the job continues. Otherwise it checks once
  /// more, and ends if nothing waits. That check is made under the inbox's lock, so that the next
  /// sender makes another job.
  ///
  /// - Returns: Whether the job has to continue.
  @inlinable
  func takeRound(on reactor: isolated R) -> Bool {
    let before = turnState.taken
    if takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor) { return true }
    if turnState.taken &- before >= Self.turnsOfABurst { return true }
    return takeTurns(upTo: Self.turnsAtATime, endingJob: true, on: reactor)
  }

  /// Takes turns in a task that waits for them, so that no other thread has to be scheduled.
  ///
  /// Not inside a turn, since an effect on the reactor may not have suspended yet: it would
  /// continue before the actions sent to it.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  @discardableResult
  func takeInWaitingTask(upTo limit: Int, on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard limit > 0, !turnState.isTaking, Self.takesAtOnce else { return false }
    turnState.isInWaitingTask = true
    defer { turnState.isInWaitingTask = false }
    return takeTurns(upTo: limit, endingJob: false, on: reactor)
  }

  /// Takes the turns up to an action, if it is near, for a task that waits for it.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isJob: Whether the caller replaces a job, which ends with this; if there is more to do, a
  ///     job is made.
  ///   - reactor: The reactor.
  @inlinable
  func takeUpTo(_ number: UInt64, asJob isJob: Bool, on reactor: isolated R) {
    let ahead = number &- turnState.taken
    takeInWaitingTask(upTo: ahead < UInt64(Self.turnsAtATime) ? Int(ahead) + 1 : 0, on: reactor)
    guard isJob else { return }
    guard !turnState.isTaking, turnState.batch.isEmpty, !hasReady, !refill(endingJob: true) else {
      return wake(reactor)
    }
    // After the inbox, as in any job: requests that were added since may rely on this one.
    processRequests(on: reactor)
    // The end has to be carried out by a job, which can wait for it.
    if isEndDue { requestJob() } else { removeUnused(on: reactor) }
  }

  /// Takes the waiting actions, in order.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  func takeTurns(upTo limit: Int, endingJob: Bool, on reactor: isolated R) -> Bool {
    var rest = limit
    startReady(on: reactor)
    while let next = nextTurn(endingJob: endingJob, on: reactor) {
      passToHookOrTake(next, on: reactor)
      startReady(on: reactor)
      rest -= 1
      if rest == 0 {
        // Actions that were sent together are taken without yielding.
        guard isHolding else { return true }
        rest = 1
      }
    }
    return false
  }

  // MARK: Dequeuing

  /// Returns the turn of the next action that has not been cancelled; `nil` if there is none, and
  /// the job may end.
  @inlinable @inline(__always)
  func nextTurn(endingJob: Bool, on reactor: isolated R) -> Turn<R.Action>? {
    if !hasRequests.load(ordering: .acquiring), !turnState.checksEachAction,
      let next = turnState.batch.popFirst(keepingCapacityFor: Self.turnsAtATime)
    {
      return turn(of: next)
    }
    return nextCheckedTurn(endingJob: endingJob, on: reactor)
  }

  /// Assigns a number to a dequeued action.
  @inlinable @inline(__always)
  func turn(of envelope: Envelope<R.Action>) -> Turn<R.Action> {
    let number = turnState.taken
    turnState.taken &+= 1
    if let member = envelope.context?.member { registerChainMember(member, number: number) }
    return Turn(envelope.action, number: number, with: envelope.context)
  }

  /// Returns the next turn, with all checks: refills an empty batch from the inbox, processes
  /// pending requests, and skips cancelled actions.
  ///
  /// The first action of a job takes this path; those dequeued with it take the short one.
  @inlinable @inline(never)
  func nextCheckedTurn(endingJob: Bool, on reactor: isolated R) -> Turn<R.Action>? {
    while true {
      if turnState.batch.isEmpty { refill(endingJob: endingJob) }
      let next = turnState.batch.popFirst(keepingCapacityFor: Self.turnsAtATime)
      // After the inbox: requests that were added before an action was sent are processed before it
      // is taken, and requests that were added since may rely on this job.
      processRequests(on: reactor)
      guard let next else {
        if Self.hasLanes, !Self.hasActionHook, let details = turnState.details {
          details.pointee.lanes.removeCancellations(before: turnState.taken)
        }
        return nil
      }
      var turn = turn(of: next)
      guard turnState.checksEachAction else { return turn }
      let isSkipped = endIfSkipped(turn.number)
      let dropped = isSkipped ? nil : passMiddleware(&turn)
      if !isSkipped, dropped == nil { return turn }
      // It never has a turn.
      if let dropped { note(.droppedByMiddleware(dropped), of: turn.number) }
      if ReactorObservers.isAny { followObservers(on: reactor) }
      notify(.skipped(turn.action, number: turn.number, arrival(of: turn)))
      if let dropped { report(.droppedByMiddleware(dropped), turn.action, turn.number) }
      settleUntaken(turn.number)
    }
  }

  /// - Returns: Whether there were any actions.
  @inlinable
  @discardableResult
  func refill(endingJob: Bool) -> Bool {
    guard inbox.dequeue(into: &turnState.batch, endsJob: endingJob) else {
      // A reactor without work keeps no memory for actions.
      if endingJob { turnState.batch = Inbox<R.Action>.Queue() }
      return false
    }
    return true
  }

  /// Passes an action to `transform(action:)`, or takes it.
  @inlinable
  func passToHookOrTake(_ turn: consuming Turn<R.Action>, on reactor: isolated R) {
    guard Self.hasActionHook, let input = details.hooks?.inputs.actions else {
      return take(turn, on: reactor)
    }
    ledger.begin(turn.number)
    if ReactorObservers.isAny { followObservers(on: reactor) }
    notify(.enteredHook(turn.action, number: turn.number, arrival(of: turn)))
    input.push(turn.action, ticket: .action(turn.number, in: turn.context))
  }

  // MARK: A turn

  /// Takes an action without suspending.
  @inlinable
  func take(_ turn: consuming Turn<R.Action>, on reactor: isolated R) {
    open(&turn, on: reactor)
    if mayBegin(turn, on: reactor) { perform(turn, on: reactor) }
    close(turn, on: reactor)
  }

  @inlinable @inline(__always)
  func open(_ turn: inout Turn<R.Action>, on reactor: isolated R) {
    turnState.isTaking = true
    // If the turn suspends, the end may come meanwhile, which drops the waiting actions. Then
    // `turnState.taken` is not the number after this action's.
    if Self.hasTurnHook || turn.slot != nil || !Self.takesAtOnce { details.taking = turn.number }
    if let slot = turn.slot { details.lanes.slot = slot }
    // After it is known which action is taken: cancellations may be processed here.
    if ReactorObservers.isAny { followObservers(on: reactor) }
    // The sinks were notified of an action that has waited when it arrived.
    if turn.slot == nil, let concurrentState = concurrentStateIfMade {
      turn.lastListener = concurrentState.pointee.latestListener.load(ordering: .acquiring)
      if turn.lastListener != 0 { notifyTaken(&turn) }
    }
  }

  /// Whether the turn may be carried out now; otherwise the action waits in its lane, or is
  /// refused.
  @inlinable @inline(__always)
  func mayBegin(_ turn: Turn<R.Action>, on reactor: isolated R) -> Bool {
    guard turn.slot != nil || enterLane(turn, on: reactor) else { return false }
    if turn.slot != nil || turn.lastListener != 0 {
      notify(.begun(number: turn.number, lane: turnState.details?.pointee.lanes.keyOfTurn))
    }
    return true
  }

  /// Calls `mutate` with the action, and carries out the result.
  @inlinable @inline(__always)
  func perform(_ turn: Turn<R.Action>, on reactor: isolated R) {
    // An action may pass a stage, or the work here is tracked or observed, or the current task
    // works for another action.
    if turn.context != nil || !turnState.features.isEmpty || ContextDemand.isAny
      || turnState.isInWaitingTask && AskWaitGraph.hasBoundWork.load(ordering: .relaxed)
    {
      performInContext(turn, on: reactor)
    } else {
      carryOut(reactor.mutate(action: turn.action), of: turn, on: reactor)
    }
  }

  /// Performs the turn in the action's context, and in no other.
  ///
  /// Outlined, because the closure would force each turn into memory.
  @inlinable @inline(never)
  func performInContext(_ turn: Turn<R.Action>, on reactor: isolated R) {
    details.turnContext = turn.context
    if turnState.features.contains(.observers), let observers = details.observers {
      details.turnContext = observers.context(
        aroundTurnOf: turn.action, number: turn.number, in: details.turnContext)
    }
    AskWaitGraph.withoutBoundWork {
      (details.turnContext ?? .none).run {
        let stream =
          details.hasStage
          ? mutateInStages(turn.action, on: reactor) : reactor.mutate(action: turn.action)
        carryOut(stream, of: turn, on: reactor)
      }
    }
    // Its mutations take the context into a hook.
    if !Self.hasMutationHook { details.turnContext = nil }
  }

  /// Calls `mutate`, through the stages; a stub records the action instead.
  @usableFromInline
  func mutateInStages(_ action: R.Action, on reactor: isolated R) -> MutationStream<R.Mutation> {
    if let record = details.recordAction {
      record(action)
      return .empty
    }
    details.stages.removeAll { !$0.isRegistered }
    if details.stages.isEmpty { turnState.features.remove(.stages) }
    return PipelineStage.mutate(action, through: details.stages[...], on: reactor) {
      $0.mutate(action: $1)
    }
  }

  /// Carries out the result of an action: immediate mutations are reduced, an effect is begun.
  @inlinable @inline(__always)
  func carryOut(
    _ stream: MutationStream<R.Mutation>, of turn: Turn<R.Action>, on reactor: isolated R
  ) {
    switch stream.storage {
    case .empty: break
    case .just(let mutation): reduceAtOnce(mutation, of: turn.number, on: reactor)
    case .several(let mutations):
      for mutation in mutations { reduceAtOnce(mutation, of: turn.number, on: reactor) }
    case .run, .concat: start(register(turn, on: reactor), stream, on: reactor)
    case .tree(let tree): begin(tree, of: turn, on: reactor)
    }
  }

  /// Reduces a mutation of the action that is being taken, or stores it for the hook.
  @inlinable @inline(__always)
  func reduceAtOnce(_ mutation: R.Mutation, of number: UInt64, on reactor: isolated R) {
    if Self.hasMutationHook {
      details.mutationsForHook.append(mutation)
    } else if isStillWanted(number, on: reactor) {
      reduce(mutation, of: number, on: reactor)
    }
  }

  /// Whether the action that is being taken has not been cancelled meanwhile.
  @inlinable @inline(__always)
  func isStillWanted(_ number: UInt64, on reactor: isolated R) -> Bool {
    processRequests(on: reactor)
    return !turnState.checksEachAction || !details.skipped.contains(number)
  }

  /// Ends a turn, however far it has come: settles an action that has no work left, and leaves the
  /// lane.
  @inlinable @inline(__always)
  func close(_ turn: Turn<R.Action>, on reactor: isolated R) {
    if turnState.checksEachAction { _ = endIfSkipped(turn.number) }
    let settled = turn.isInLedger ? ledger.end(turn.number) : nil
    turnState.isTaking = false
    if let details = turnState.details { details.pointee.taking = nil }
    // Before anything that waits for the action is resumed.
    if turn.lastListener != 0 { events.publish(turn.action, toStreamsUpTo: turn.lastListener) }
    if turnState.isAwaited, turn.number >= concurrentState.pointee.awaited {
      settleIfIdle(turn.number)
    }
    if Self.hasLanes, let slot = turnState.details?.pointee.lanes.endTurn() {
      carryOut(details.lanes.leave(slot), on: reactor)
    }
    if turn.lastListener != 0 { notify(.turnEnded(turn.action, number: turn.number)) }
    if let settled {
      notify(.ended(number: turn.number))
      settled.open()
    }
  }

  // MARK: Reducing

  /// Reduces a mutation into the state, and then publishes the state if it is observed.
  @inlinable @inline(__always)
  func reduce(
    _ mutation: R.Mutation, of number: @autoclosure () -> UInt64?, on reactor: isolated R
  ) {
    // Moved out and back, so that `reduce` changes it in place and no code sees a partial change.
    guard var state = turnState.state.take() else {
      preconditionFailure(
        "\(R.self): a mutation was emitted inside reduce(state:mutation:); send an action instead")
    }
    reactor.reduce(state: &state, mutation: mutation)
    guard let details = turnState.details, let broadcast = details.pointee.reducedStates else {
      turnState.state = consume state
      return
    }
    show(state, after: mutation, of: number(), to: broadcast)
  }

  @inlinable @inline(never)
  func show(
    _ state: consuming R.State, after mutation: R.Mutation, of number: UInt64?,
    to broadcast: Broadcast<R.State>
  ) {
    version &+= 1
    for follower in details.followers { follower.follow(state) }
    if let outputStage {
      turnState.state = consume state
      return pass(mutation, of: number, through: outputStage)
    }
    guard broadcast.hasDemand.load(ordering: .relaxed) else {
      turnState.state = consume state
      return
    }
    turnState.state = copy state
    if steps != nil { notifyReduced(mutation, copy state, of: number) }
    if details.batches.isEmpty || !isHolding {
      broadcast.publish(state, number: version)
    } else {
      details.noteState()
    }
  }

  // MARK: Turns that suspend

  /// Takes waiting actions until there are none.
  @inlinable
  func drainSuspending(on reactor: isolated R) async {
    while true {
      // If there are no further turns, the inbox is still emptied: the end comes after it.
      if hasReady, await startReadySuspending(on: reactor) { continue }
      guard let next = nextTurn(endingJob: true, on: reactor) else { return }
      if Self.hasActionHook {
        passToHookOrTake(next, on: reactor)
      } else {
        await takeSuspending(next, on: reactor)
      }
    }
  }

  /// Takes an action when no other turn is in progress.
  @inlinable
  func takeSuspending(_ next: Turn<R.Action>, on reactor: isolated R) async {
    var turn = next
    // The ledger records it before it waits: the hook may pass the action on before its turn
    // begins, and an end while the turn is suspended settles the actions after it.
    ledger.begin(turn.number)
    turn.isInLedger = true
    var isFree = taking == nil && !Task.isCancelled && phase != .stopped
    if !isFree { isFree = await isTurnFree(on: reactor) }
    // An action that has got a slot has precedence.
    while isFree, hasReady {
      isFree = await startReadySuspending(on: reactor)
      if isFree { isFree = await isTurnFree(on: reactor) }
    }
    guard isFree else {
      // The end has come first.
      discard(turn.action, turn.number, as: .neverBegun, .actionDropped)
      return endWork(of: turn.number)
    }
    await takeToEnd(turn, on: reactor)
  }

  /// Starts the next action that has waited in a lane.
  ///
  /// - Returns: Whether there may be turns; if not, waiting actions are dropped at the end.
  @inlinable
  func startReadySuspending(on reactor: isolated R) async -> Bool {
    // Selected only when a turn is free: until then, it can be cancelled and dropped like the
    // others.
    guard await isTurnFree(on: reactor) else { return false }
    if let turn = nextReady(on: reactor) { await takeToEnd(turn, on: reactor) }
    return true
  }

  /// Waits for the current turn: both a job and the task of a hook may have turns to take.
  ///
  /// The caller has the turn if it takes it before it suspends.
  ///
  /// - Returns: Whether there may be a turn. False once the reactor, or the hook's generation, has
  ///   ended, or `stop()` has been called again: the hook would drop the result of the turn.
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

  /// Takes an action, and closes its turn when its immediate mutations are in the state.
  @inlinable
  func takeToEnd(_ next: Turn<R.Action>, on reactor: isolated R) async {
    var turn = next
    open(&turn, on: reactor)
    if mayBegin(turn, on: reactor) {
      if Self.hasLanes { details.hooks?.turns.action = turn.action }
      details.isInsideMutate = true
      perform(turn, on: reactor)
      details.isInsideMutate = false
      await passOn(turn, on: reactor)
    }
    details.turnContext = nil
    if Self.hasLanes { details.hooks?.turns.action = nil }
    close(turn, on: reactor)
    let waiting = details.waitingTurns
    details.waitingTurns = []
    for latch in waiting { latch.open() }
  }

  /// Waits until the immediate mutations of the turn are in the state.
  ///
  /// Cancellation does not end the wait: the task that takes turns is not cancelled before the
  /// input of the hook ends.
  @inlinable
  func passOn(_ turn: Turn<R.Action>, on reactor: isolated R) async {
    if Self.hasMutationHook {
      let mutations = details.mutationsForHook
      details.mutationsForHook = []
      for mutation in mutations where isStillWanted(turn.number, on: reactor) {
        guard let input = details.hooks?.inputs.mutations else { break }
        await Resumption.suspend(isolation: reactor) { resumption in
          if !input.push(mutation, ticket: .turn(resumption, in: details.turnContext)) {
            note(.reactorEnded, of: turn.number)
            report(.mutationDropped(mutation), nil, turn.number)
          }
        }
        if input.hasDroppedTurn { note(.reactorEnded, of: turn.number) }
      }
    }
    // A task in a simulation begins by itself, after the turn.
    if SimulatedExecutor.isActive { await Task.yield() }
    guard Self.hasMutationHook else { return }
    // Waits while an effect that has just begun has mutations in the hook: what it emits before it
    // suspends elsewhere belongs to its turn.
    for run in runs(of: turn.number) {
      // An effect that never suspends elsewhere must not delay the others forever.
      var rest = EffectStartBuffer<R.Mutation>.limit
      while run.mutationsInHook.load(ordering: .relaxed) > 0, rest > 0, !Task.isCancelled {
        rest -= 1
        let latch = Latch()
        run.hookLatch = latch
        await latch.wait()
      }
      run.hookLatch = nil
    }
  }
}
