import Synchronization

/// How a reactor ends, and begins again.
extension PipelineCore {
  // MARK: Ending

  /// Everything sent before `stop()` has left the inbox: once it has been taken, cancel what runs,
  /// and end the streams.
  @usableFromInline
  func stop(on reactor: isolated R) async {
    guard own.phase.canEnd else { return }
    own.phase = inbox.isDraining ? .draining : .stopping
    if own.phase == .draining { cancelForDrain() }
    if ReactorObservers.isAny { observeStopping(on: reactor) }
    if let input = details.hooks?.inputs.actions {
      await waitUnlessHurried(on: reactor) { input.whenIdle($0) }
    }
    // Nobody need wait for another action: there will be none.
    events.finishActions()
    if own.phase == .draining {
      await waitUnlessHurried(on: reactor) { ledger.whenIdle($0) }
      await drainChildren(on: reactor)
    }
    guard own.phase.isEnding else { return }
    readMailNow(on: reactor)
    ledger.willAbandon(openActions(sparingCancelled: true, on: reactor))
    end()
    if Self.isJournaled, let gate { await close(gate, on: reactor) }
    ledger.stop()
    shared.withLock { $0.rare.stop.hurried = nil }
  }

  /// Waits until a latch has been opened, or until `stop()` is called again.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - open: Has the latch opened; called on the reactor.
  func waitUnlessHurried(on reactor: isolated R, _ open: (Latch) -> Void) async {
    let latch = Latch()
    let isHurried = shared.withLock { shared in
      shared.rare.stop.latch = latch
      return shared.rare.stop.hurried == ledger.life
    }
    if !isHurried {
      open(latch)
      await latch.wait()
      ledger.forget(latch)
    }
    shared.withLock { $0.rare.stop.latch = nil }
  }

  /// `stop()` has been called again: whatever a hook still holds is given up.
  ///
  /// - Parameter life: Which life was to end; one that comes after it is left alone.
  func hurry(_ life: UInt32) {
    let (hooks, latch) = shared.withLock { shared -> (Hooks?, Latch?) in
      guard ledger.isGoingOn(life) else { return (nil, nil) }
      shared.rare.stop.hurried = life
      return (shared.rare.hooks, shared.rare.stop.latch)
    }
    latch?.open()
    finishMutations(of: hooks)
  }

  /// Ends the input of `transform(mutation:)`; what it never saw is given up.
  private func finishMutations(of hooks: Hooks?) {
    let dropped = hooks?.inputs.mutations?.finish(willDrop: { item in
      guard case .mutation(_, let effect?, _) = item.ticket, !effect.isCancelled else { return }
      note(.reactorEnded, of: effect.number)
    })
    reportDropped(dropped)
  }

  private func reportDropped(_ mutations: [(element: R.Mutation, ticket: HookTicket)]?) {
    for (mutation, ticket) in mutations ?? [] {
      var number: UInt64?
      if case .mutation(_, let effect?, _) = ticket {
        if effect.isCancelled { continue }
        number = effect.number
      }
      report(.mutationDropped(mutation), nil, number)
    }
  }

  /// Begins again after an end: the hooks are called anew, and the state is where it was.
  ///
  /// - Parameters:
  ///   - state: The state to go on from, if not from the last one.
  ///   - life: Which life has ended, and everything of it.
  ///   - reactor: The reactor.
  /// - Returns: Whether that has been done, by this or by another restart; false where another one
  ///   was first, which knows nothing of the state.
  func restart(from state: R.State?, after life: UInt32, on reactor: isolated R) -> Bool {
    // The next life may have been stopped by now, and not have ended.
    guard ledger.life == life else { return state == nil }
    guard own.phase == .stopped else { return true }
    // Its journal has been let go of; whoever opens it makes another one.
    if Self.isJournaled {
      report(.notOpened, nil)
      return true
    }
    own.phase = .idle
    // One that was set by a job that has yet to go on is the last life's.
    hasReachedEnd.store(false, ordering: .relaxed)
    details.hooks = nil
    details.live = nil
    shared.withLock { shared in
      (shared.outlet, shared.hasEnded) = (nil, false)
      shared.rare.hooks = nil
      shared.rare.childStops = []
    }
    if let state {
      own.state = state
      version += 1
    }
    events.reopen()
    let waiting = inbox.reopen { ledger.restart() }
    for latch in waiting { latch.open() }
    // Where it is not, that is told as it starts.
    let isTold = own.details?.pointee.telling != nil
    start(on: reactor)
    goOnWithSteps(on: reactor)
    if isTold, ReactorObservers.isAny { observeStarted(on: reactor) }
    events.tellRestart()
    return true
  }

  /// The last reference has gone: nobody changes anything any more but this thread.
  @inlinable
  func reactorIsGone() {
    var number = own.taken
    for action in own.batch.takeAll(R.Action.self) {
      // What it was to begin with is nobody's loss if it never began.
      let isFirst = hasFirst && number == 0 && own.phase == .idle
      if !isFirst { report(.actionDropped, action, number) }
      number &+= 1
    }
    for action in inbox.abandon(inboxExtrasIfMade) {
      report(.actionDropped, action, number)
      number &+= 1
    }
    // A lane's time may run where nothing waits and nobody looks.
    if Self.hasLanes, partsIfMade == nil, own.details != nil { abandonLanes() }
    if let parts = partsIfMade {
      end()
      events.finishRestarts()
      if ReactorObservers.isAny { observeEffectsGone() }
      // The effects have been cancelled. Each is held here until it has returned, as it may have
      // something to clean up, and there are those who wait for that.
      parts.pointee.ledger.abandon(sparing: Self.workOfChildren, key: endsKey)
      returnMilestones()
      abandonMilestones()
      if Self.isJournaled { letGoOfGate() }
      if ReactorObservers.isAny { observeReleased() }
      if ReactorObservers.isAny { removeObservers() }
    }
    // With parts, somebody may yet ask for the last state.
    if partsIfMade == nil { own.state = nil }
    own.phase = .stopped
    own.details.take()?.free()
  }

  @inlinable
  func end() {
    let isFirst = own.phase != .stopped
    own.phase = .stopped
    if Self.hasLanes { abandonLanes() }
    var cut: Set<UInt64> = []
    for run in ledger.works() where !run.hasEnded {
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
      run.cancel()
      cut.insert(run.number)
    }
    // Others may have come to their ends since they were found open.
    if isFirst { ledger.willAbandon(only: cut) }
    if own.details?.pointee.hasChildren == true { endChildren() }
    events.finishActions()
    let hooks = own.details?.pointee.hooks
    if let hooks { end(hooks) }
    endBatches()
    // Who asked is told once it is known what has become of everything.
    endAsked()
    if Self.isJournaled, let gate {
      finishBehind(gate, hooks)
    } else {
      finishShowing(hooks)
    }
    if isFirst {
      tell(.stopped)
      if ReactorObservers.isAny { observeStopped() }
    }
  }

  @usableFromInline
  func end(_ hooks: Hooks) {
    let actions = hooks.inputs.actions?.finish { held in
      // What has come out of the hook already ends by itself.
      guard case .action(let number, _) = held, number != details.lastFromHook else { return }
      note(.neverBegun, of: number)
    } willDrop: { item in
      if case .action(let number, _) = item.ticket { note(.neverBegun, of: number) }
    }
    for (action, ticket) in actions ?? [] {
      var number: UInt64?
      if case .action(let known, _) = ticket { number = known }
      report(.actionDropped, action, number)
    }
    finishMutations(of: hooks)
    for task in hooks.inputs.tasks { task.cancel() }
  }
}
