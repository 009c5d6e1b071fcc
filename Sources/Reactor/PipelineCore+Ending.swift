public import ReactorMachines
import Synchronization

/// How a reactor ends, and begins again.
extension PipelineCore {
  // MARK: Ending

  /// Everything sent before `stop()` has left the inbox: once it has been taken, cancel what runs,
  /// and end the streams.
  @usableFromInline
  func stop(on reactor: isolated R) async {
    guard isEndDue else { return }
    let mode: StopMode = inbox.life.mode == .drain ? .drain : .cancel
    var step = inbox.passed(.taking)
    if phase == .draining { cancelForDrain() }
    tell(.stopping(mode))
    while case .wait(let stage) = step {
      await wait(for: stage, on: reactor)
      step = inbox.passed(stage)
    }
    guard step == .finish else { return }
    readMailNow(on: reactor)
    await finish(on: reactor)
  }

  /// Cancels what runs, and ends every stream.
  ///
  /// - Parameters:
  ///   - isCutShort: Whether the end has come before what waits in the inbox, which is dropped.
  ///   - reactor: The reactor.
  func finish(isCutShort: Bool = false, on reactor: isolated R) async {
    keepAbandoned(on: reactor)
    end(isFirst: true)
    if isCutShort { dropWaiting() }
    await outputStage?.close()
    inbox.finished()
  }

  /// Keeps what the end is about to cut short, for the receipts of the stop.
  func keepAbandoned(on reactor: isolated R) {
    let actions = openActions(sparingCancelled: true, on: reactor)
    let generation = inbox.life.generation
    shared.withLock { $0.rare.abandoned = actions.isEmpty ? nil : (generation, actions) }
  }

  /// Waits until a stage of the end is over, or the end is hurried.
  private func wait(for stage: LifeMachine.Stage, on reactor: isolated R) async {
    switch stage {
    case .taking: break
    case .hook:
      if let input = details.hooks?.inputs.actions {
        await waitUnlessHurried { input.whenIdle($0) }
      }
      // There will be no further action to wait for.
      events.finishActions()
    case .work: await waitUnlessHurried { ledger.whenIdle($0) }
    case .children: await drainFollowers(on: reactor)
    }
  }

  /// Waits until a latch has been opened, or the end is hurried.
  ///
  /// - Parameter open: Has the latch opened; called where the caller is.
  @usableFromInline
  nonisolated(nonsending) func waitUnlessHurried(_ open: (Latch) -> Void) async {
    let latch = Latch()
    if inbox.waitToHurry(at: latch) { return }
    open(latch)
    await latch.wait()
    ledger.forget(latch)
    inbox.stopWaitingToHurry()
  }

  /// `stop()` has been called again: whatever a hook still holds is given up.
  ///
  /// - Parameter life: Which life was to end; one that comes after it is left alone.
  func hurry(_ life: UInt32) {
    if inbox.hurry(life) { finishMutations() }
  }

  /// Ends the input of `transform(mutation:)`, from any thread.
  func finishMutations() {
    guard let parts = partsIfMade else { return }
    finishMutations(of: parts.pointee.shared.withLock { $0.rare.hooks })
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
    guard inbox.life.generation == life else { return state == nil }
    guard inbox.life.state == .ended else { return true }
    // Its journal has been released; it is opened by making another reactor.
    if Self.isJournaled {
      report(.notOpened, nil)
      return true
    }
    details.hooks = nil
    details.live = nil
    shared.withLock { shared in
      (shared.outlet, shared.hasEnded) = (nil, false)
      shared.rare.hooks = nil
    }
    if let state {
      own.state = state
      version += 1
    }
    events.reopen()
    guard inbox.restart(after: life) == .begin else { return true }
    start(on: reactor)
    goOnWithSteps(on: reactor)
    events.tellRestart()
    return true
  }

  /// The last reference has gone: nobody changes anything any more but this thread.
  @inlinable
  func reactorIsGone() {
    var number = own.taken
    // What it was to begin with is no loss if it never began.
    let neverBegan = hasFirst && number == 0 && phase == .idle
    var left = own.batch.removeAll()
    let (waiting, isFirst) = inbox.release()
    left += waiting
    for envelope in left {
      if number != 0 || !neverBegan { report(.actionDropped, envelope.action, number) }
      envelope.context?.member?.leave()
      number &+= 1
    }
    // A lane's time may run where nothing waits and nobody looks.
    if Self.hasLanes, partsIfMade == nil, own.details != nil { abandonLanes() }
    if let parts = partsIfMade {
      end(isFirst: isFirst)
      events.finishRestarts()
      returnMarks()
      abandonMarks()
      releaseFollowers()
      if Self.isJournaled { closeStage() }
      tell(.released)
      if ReactorObservers.isAny { removeObservers() }
      // The effects have been cancelled. Each stays open until it has returned, as it may have
      // something to clean up. All else ends here, once the sinks know.
      parts.pointee.ledger.abandon(sparing: Self.workOutside)
    }
    // With parts, somebody may yet ask for the last state.
    if partsIfMade == nil { own.state = nil }
    own.details.take()?.free()
  }

  /// Of the actions that ran and are about to be cut short, keeps only these: others may have come
  /// to their ends since.
  @usableFromInline
  func keepAbandoned(_ running: Set<UInt64>) {
    shared.withLock { shared in
      guard shared.rare.abandoned != nil else { return }
      shared.rare.abandoned?.actions.removeAll { action in
        guard case .running = action.standing else { return false }
        return !running.contains(action.number.rawValue)
      }
    }
  }

  /// Finishes: cancels what runs, and ends every stream.
  ///
  /// - Parameter isFirst: Whether it has not been done before.
  @inlinable
  func end(isFirst: Bool) {
    if Self.hasLanes { abandonLanes() }
    var cut: Set<UInt64> = []
    for run in ledger.works() where !run.hasEnded {
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
      run.cancel()
      cut.insert(run.number)
    }
    if isFirst { keepAbandoned(cut) }
    if own.details?.pointee.followers.isEmpty == false { endFollowing() }
    events.finishActions()
    let hooks = own.details?.pointee.hooks
    if let hooks { end(hooks) }
    endBatches()
    // Who asked is told once it is known what has become of everything.
    endAsked()
    if let outputStage {
      finish(hooks, through: outputStage)
    } else {
      finishShowing(hooks)
    }
    if isFirst { tell(.stopped) }
  }

  /// Ends what shows states and outputs, once everything reduced may be known.
  @usableFromInline
  func finish(_ hooks: Hooks?, through stage: PipelineOutputStage<R>) {
    stage.leave(.end { self.finishShowing(hooks) })
  }

  private func dropWaiting() {
    let waiting = own.batch.removeAll() + inbox.dropWaiting()
    for envelope in waiting {
      let number = own.taken
      own.taken &+= 1
      if envelope.context != nil { follow(envelope, number: number) }
      if !own.looksAtEach || !endIfSkipped(number) {
        note(.neverBegun, of: number)
        report(.actionDropped, envelope.action, number)
      }
      settleUntaken(number)
    }
  }

  /// Ends the stage of a reactor that is gone.
  @usableFromInline
  func closeStage() {
    if let stage = outputStage { PipelineTasks.detached { await stage.close() } }
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
