public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// From the inbox to the state: a job takes actions, each has its turn, and its mutations are
/// reduced.
///
/// There is one way through a turn: it is opened, the action enters its lane, `mutate` is called,
/// what comes at once is reduced and effects are begun, and the turn is closed. Mostly that is done
/// in one go, by ``take(_:on:)``. Where `transform(mutation:)` is written, and in a simulation, the
/// turn suspends before it is closed, by ``takeSuspending(_:on:)``: until the hook has passed the
/// mutations on, and until the effects have begun.
extension Engine {
  // MARK: Jobs

  /// How many actions are taken before other work on the reactor gets a chance.
  @inlinable static var turnsAtATime: Int { 1024 }

  /// From how many actions at a time on a job expects more.
  @inlinable static var turnsOfABurst: UInt64 { 8 }

  /// Whether a turn is over when it has been taken, so that many are in one go.
  @inlinable static var takesAtOnce: Bool { !hasMutationHook && !SimulatedExecutor.isActive }

  /// Whether everything that was accepted has been taken, and the end is to go on.
  @inlinable var isEndDue: Bool { own.batch.isEmpty && inbox.isEndDue }

  /// Takes what waits, as far as that can be done without suspending.
  ///
  /// Mostly that is all that a job has to do. It is a function of its own because one that may
  /// suspend has a frame, which its task makes and takes away: 420 instructions.
  ///
  /// - Returns: Whether that was all; if not, ``drain(on:)`` goes on.
  @inlinable
  func drainAtOnce(on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard Self.takesAtOnce, !takeRound(on: reactor), !isEndDue else { return false }
    tidy(on: reactor)
    return true
  }

  /// Takes the rest of what waits, and brings about the end where that has been reached.
  @inlinable
  func drain(on reactor: isolated R) async {
    start(on: reactor)
    if !Self.takesAtOnce {
      await drainSuspending(on: reactor)
    } else if !isEndDue {
      repeat { await Task.yield() } while takeRound(on: reactor)
    }
    if isEndDue { await stop(on: reactor) }
    tidy(on: reactor)
  }

  /// Takes a round of what waits, for a job.
  ///
  /// If there were many, more are likely to be on their way, and making another job for them costs
  /// their sender far more than another look costs this one: so the job stays. Else it looks once
  /// more, and ends with that if nothing waits: under the inbox's lock, so that the next sender
  /// makes another job.
  ///
  /// - Returns: Whether the job is to go on.
  @inlinable
  func takeRound(on reactor: isolated R) -> Bool {
    let before = own.taken
    if takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor) { return true }
    if own.taken &- before >= Self.turnsOfABurst { return true }
    return takeTurns(upTo: Self.turnsAtATime, endingJob: true, on: reactor)
  }

  /// Takes turns in a task that waits for them, so that no other thread has to be woken.
  ///
  /// Not inside a turn, where an effect on the reactor may be that has yet to suspend: it would go
  /// on before what it has been sent.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  @discardableResult
  func takeBorrowed(upTo limit: Int, on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard limit > 0, !own.isTaking, Self.takesAtOnce else { return false }
    own.isBorrowed = true
    defer { own.isBorrowed = false }
    return takeTurns(upTo: limit, endingJob: false, on: reactor)
  }

  /// Takes the turns up to an action, if it is near, for a task that waits for it.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isJob: Whether the caller stands in for a job, which ends with this; where there is more
  ///     to do, one is made.
  ///   - reactor: The reactor.
  @inlinable
  func takeUpTo(_ number: UInt64, asJob isJob: Bool, on reactor: isolated R) {
    let ahead = number &- own.taken
    takeBorrowed(upTo: ahead < UInt64(Self.turnsAtATime) ? Int(ahead) + 1 : 0, on: reactor)
    guard isJob else { return }
    guard !own.isTaking, own.batch.isEmpty, !hasReady, !refill(endingJob: true) else {
      return wake(reactor)
    }
    // After the inbox, as in any job: what has been left since may have counted on this one.
    readMail(on: reactor)
    // The end is for a job to bring about, which can wait for it.
    if isEndDue { requestJob() } else { tidy(on: reactor) }
  }

  /// Takes what waits, in order.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  func takeTurns(upTo limit: Int, endingJob: Bool, on reactor: isolated R) -> Bool {
    var rest = limit
    startReady(on: reactor)
    while let next = nextTurn(endingJob: endingJob, on: reactor) {
      handOn(next, on: reactor)
      startReady(on: reactor)
      rest -= 1
      if rest == 0 {
        // What was sent as one is taken in one go.
        guard isHolding else { return true }
        rest = 1
      }
    }
    return false
  }

  // MARK: Out of the inbox

  /// The turn of the next action that has not been cancelled; `nil` when there is none, and the job
  /// may end.
  @inlinable @inline(__always)
  func nextTurn(endingJob: Bool, on reactor: isolated R) -> Turn<R.Action>? {
    if !hasMail.load(ordering: .acquiring), !own.looksAtEach,
      let next = own.batch.popFirst(keepingRoomFor: Self.turnsAtATime)
    {
      return turn(of: next)
    }
    return lookForTurn(endingJob: endingJob, on: reactor)
  }

  /// Gives an action that has been dequeued its number.
  @inlinable @inline(__always)
  func turn(of envelope: Envelope<R.Action>) -> Turn<R.Action> {
    let number = own.taken
    own.taken &+= 1
    if let member = envelope.context?.member { follow(member, number: number) }
    return Turn(envelope.action, number: number, with: envelope.context)
  }

  /// The next turn, with all that there is to look at: refills an empty batch by the inbox, reads
  /// the mail, and leaves cancelled actions out.
  ///
  /// The first action of a job comes this way, those that came with it the short one.
  @inlinable @inline(never)
  func lookForTurn(endingJob: Bool, on reactor: isolated R) -> Turn<R.Action>? {
    while true {
      if own.batch.isEmpty { refill(endingJob: endingJob) }
      let next = own.batch.popFirst(keepingRoomFor: Self.turnsAtATime)
      // After the inbox: what was left before an action was sent is seen before it is taken, and
      // what has been left since may have counted on this job.
      readMail(on: reactor)
      guard let next else {
        if Self.hasLanes, !Self.hasActionHook, let details = own.details {
          details.pointee.lanes.forgetCuts(before: own.taken)
        }
        return nil
      }
      var turn = turn(of: next)
      guard own.looksAtEach else { return turn }
      let isSkipped = endIfSkipped(turn.number)
      let dropped = isSkipped ? nil : passMiddleware(&turn)
      if !isSkipped, dropped == nil { return turn }
      // It never has a turn.
      if let dropped { note(.droppedByMiddleware(dropped), of: turn.number) }
      if ReactorObservers.isAny { followObservers(on: reactor) }
      tell(.passedOver(turn.action, number: turn.number, arrival(of: turn)))
      if let dropped { report(.droppedByMiddleware(dropped), turn.action, turn.number) }
      settleUntaken(turn.number)
    }
  }

  /// - Returns: Whether there were any actions.
  @inlinable
  @discardableResult
  func refill(endingJob: Bool) -> Bool {
    guard inbox.dequeue(into: &own.batch, endsJob: endingJob) else {
      // A reactor that does nothing keeps no memory for actions.
      if endingJob { own.batch = Inbox<R.Action>.Queue() }
      return false
    }
    return true
  }

  /// Hands an action into `transform(action:)`, or takes it.
  @inlinable
  func handOn(_ turn: Turn<R.Action>, on reactor: isolated R) {
    guard Self.hasActionHook, let input = details.hooks?.inputs.actions else {
      return take(turn, on: reactor)
    }
    ledger.begin(turn.number)
    if ReactorObservers.isAny { followObservers(on: reactor) }
    tell(.enteredHook(turn.action, number: turn.number, arrival(of: turn)))
    input.push(turn.action, ticket: .action(turn.number, in: turn.context))
  }

  // MARK: A turn

  /// Takes an action in one go.
  @inlinable
  func take(_ next: Turn<R.Action>, on reactor: isolated R) {
    var turn = next
    open(&turn, on: reactor)
    if mayBegin(turn, on: reactor) { perform(turn, on: reactor) }
    close(turn, on: reactor)
  }

  @inlinable @inline(__always)
  func open(_ turn: inout Turn<R.Action>, on reactor: isolated R) {
    own.isTaking = true
    // Where the turn suspends, the end may come meanwhile, which drops what waits: `own.taken` is
    // not the action after this one then.
    if Self.hasTurnHook || turn.slot != nil || !Self.takesAtOnce { details.taking = turn.number }
    if let slot = turn.slot { details.lanes.slot = slot }
    // After it is known which action is taken: cancellations may be read here.
    if ReactorObservers.isAny { followObservers(on: reactor) }
    // One that has waited was told when it came.
    if turn.slot == nil, let parts = partsIfMade {
      turn.listening = parts.pointee.latestListener.load(ordering: .acquiring)
      if turn.listening != 0 { tellTaken(&turn) }
    }
  }

  /// Whether the turn may be carried out now; else the action waits in its lane, or is refused.
  @inlinable @inline(__always)
  func mayBegin(_ turn: Turn<R.Action>, on reactor: isolated R) -> Bool {
    guard turn.slot != nil || enterLane(turn, on: reactor) else { return false }
    if turn.slot != nil || turn.listening != 0 {
      tell(.begun(number: turn.number, lane: own.details?.pointee.lanes.keyOfTurn))
    }
    return true
  }

  /// Asks `mutate` what the action leads to, and does it.
  @inlinable @inline(__always)
  func perform(_ turn: Turn<R.Action>, on reactor: isolated R) {
    // An action may pass a stage, or work runs here that is tracked or observed.
    if turn.context != nil || !own.around.isEmpty || Company.isAny {
      performInContext(turn, on: reactor)
    } else {
      carryOut(reactor.mutate(action: turn.action), of: turn, on: reactor)
    }
  }

  /// Does the same with what the action has brought along, and as part of nothing else.
  ///
  /// A function of its own: for the closure each turn would be put into memory.
  @inlinable @inline(never)
  func performInContext(_ turn: Turn<R.Action>, on reactor: isolated R) {
    details.turnContext = turn.context
    if own.around.contains(.observers), let observers = details.observers {
      details.turnContext = observers.context(
        aroundTurnOf: turn.action, number: turn.number, in: details.turnContext)
    }
    (details.turnContext ?? .none).run {
      let stream =
        details.hasStage
        ? mutateInStages(turn.action, on: reactor) : reactor.mutate(action: turn.action)
      carryOut(stream, of: turn, on: reactor)
    }
    // Its mutations take it into a hook.
    if !Self.hasMutationHook { details.turnContext = nil }
  }

  /// Asks `mutate`, through the stages; a stub records the action instead.
  @usableFromInline
  func mutateInStages(_ action: R.Action, on reactor: isolated R) -> MutationStream<R.Mutation> {
    if let record = details.recordAction {
      record(action)
      return .empty
    }
    details.stages.removeAll { !$0.isThere }
    if details.stages.isEmpty { own.around.remove(.stages) }
    return PipelineStage.mutate(action, through: details.stages[...], on: reactor) {
      $0.mutate(action: $1)
    }
  }

  /// Does what an action leads to: what comes at once is reduced here and now, an effect begun.
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

  /// Reduces a mutation of the action that is being taken, or keeps it for the hook.
  @inlinable @inline(__always)
  func reduceAtOnce(_ mutation: R.Mutation, of number: UInt64, on reactor: isolated R) {
    if Self.hasMutationHook {
      details.forHook.append(mutation)
    } else if isStillWanted(number, on: reactor) {
      reduce(mutation, of: number, on: reactor)
    }
  }

  /// Whether the action that is being taken has not been cancelled meanwhile.
  @inlinable @inline(__always)
  func isStillWanted(_ number: UInt64, on reactor: isolated R) -> Bool {
    readMail(on: reactor)
    return !own.looksAtEach || !details.skipped.contains(number)
  }

  /// Ends a turn, however far it has come: settles what has no work left, and leaves the lane.
  @inlinable @inline(__always)
  func close(_ turn: Turn<R.Action>, on reactor: isolated R) {
    if own.looksAtEach { _ = endIfSkipped(turn.number) }
    let settled = turn.isInLedger ? ledger.end(turn.number) : nil
    own.isTaking = false
    if let details = own.details { details.pointee.taking = nil }
    if own.isAwaited, turn.number >= parts.pointee.awaited { settleIfIdle(turn.number) }
    if Self.hasLanes, let slot = own.details?.pointee.lanes.endTurn() {
      carryOut(details.lanes.leave(slot), on: reactor)
    }
    if turn.listening != 0 {
      events.tell(turn.action, toStreamsUpTo: turn.listening)
      tell(.turnEnded(turn.action, number: turn.number))
    }
    if let settled {
      tell(.ended(number: turn.number))
      settled.open()
    }
  }

  // MARK: Reducing

  /// Folds a mutation into the state, and then shows the state where it is observed.
  @inlinable @inline(__always)
  func reduce(
    _ mutation: R.Mutation, of number: @autoclosure () -> UInt64?, on reactor: isolated R
  ) {
    // Moved out and in again, so that `reduce` edits it in place and nothing sees it half done.
    guard var state = own.state.take() else {
      preconditionFailure(
        "\(R.self): a mutation was emitted inside reduce(state:mutation:); send an action instead")
    }
    reactor.reduce(state: &state, mutation: mutation)
    guard let details = own.details, let live = details.pointee.live else {
      own.state = consume state
      return
    }
    show(state, after: mutation, of: number(), to: live)
  }

  @inlinable @inline(never)
  func show(
    _ state: consuming R.State, after mutation: R.Mutation, of number: UInt64?,
    to live: Broadcast<R.State>
  ) {
    version &+= 1
    for follower in details.followers { follower.follow(state) }
    if let outputStage {
      own.state = consume state
      return pass(mutation, of: number, through: outputStage)
    }
    guard live.isWatched.load(ordering: .relaxed) else {
      own.state = consume state
      return
    }
    own.state = copy state
    if steps != nil { tellReduced(mutation, copy state, of: number) }
    if details.batches.isEmpty || !isHolding {
      live.publish(state, number: version)
    } else {
      details.noteState()
    }
  }

  // MARK: A turn that suspends

  /// Takes what waits, until nothing does.
  @inlinable
  func drainSuspending(on reactor: isolated R) async {
    while true {
      // Where there is to be no turn any more, the inbox is read on: behind it is the end.
      if hasReady, await startReadySuspending(on: reactor) { continue }
      guard let next = nextTurn(endingJob: true, on: reactor) else { return }
      if Self.hasActionHook {
        handOn(next, on: reactor)
      } else {
        await takeSuspending(next, on: reactor)
      }
    }
  }

  /// Takes an action when no other turn is under way.
  @inlinable
  func takeSuspending(_ next: Turn<R.Action>, on reactor: isolated R) async {
    var turn = next
    // The ledger knows of it before it waits: the hook may be done with the action sooner than its
    // turn comes, and an end while the turn is suspended settles the actions after it.
    ledger.begin(turn.number)
    turn.isInLedger = true
    var isFree = taking == nil && !Task.isCancelled && phase != .stopped
    if !isFree { isFree = await isTurnFree(on: reactor) }
    // An action that has got a slot came first.
    while isFree, hasReady {
      isFree = await startReadySuspending(on: reactor)
      if isFree { isFree = await isTurnFree(on: reactor) }
    }
    guard isFree else {
      // The end has come first.
      lose(turn.action, turn.number, as: .neverBegun, .actionDropped)
      return endWork(of: turn.number)
    }
    await takeToEnd(turn, on: reactor)
  }

  /// Starts the next action that has waited in a lane.
  ///
  /// - Returns: Whether there may be turns; if not, what waits is dropped when the end comes.
  @inlinable
  func startReadySuspending(on reactor: isolated R) async -> Bool {
    // Chosen only when its turn has come: until then, it can be cancelled and dropped like the
    // others.
    guard await isTurnFree(on: reactor) else { return false }
    if let turn = nextReady(on: reactor) { await takeToEnd(turn, on: reactor) }
    return true
  }

  /// Waits for the turn under way: a job and the task of a hook may both have turns to take.
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

  /// Takes an action, and closes its turn when all that it led to at once is in the state.
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

  /// Waits until what the turn has led to at once is in the state.
  ///
  /// Being cancelled does not end the wait: the task that takes turns is not, before the input of
  /// the hook ends.
  @inlinable
  func passOn(_ turn: Turn<R.Action>, on reactor: isolated R) async {
    if Self.hasMutationHook {
      let mutations = details.forHook
      details.forHook = []
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
    // A task of a simulation begins after the turn, by itself.
    if SimulatedExecutor.isActive { await Task.yield() }
    guard Self.hasMutationHook else { return }
    // While an effect that has just begun has mutations in the hook: what it emits before it
    // suspends elsewhere belongs to its turn.
    for run in runs(of: turn.number) {
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
