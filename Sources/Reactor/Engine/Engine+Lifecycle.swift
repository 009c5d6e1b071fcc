public import ReactorMachines
public import ReactorRuntime
import Synchronization

/// How a reactor begins, ends, and begins again.
extension Engine {
  // MARK: Beginning

  /// Begins, unless it has begun: calls the hooks in the order of the flow, each once.
  @inlinable
  func start(on reactor: isolated R) {
    guard phase == .idle else { return }
    guard Self.isJournaled else { return startTaking(on: reactor) }
    // No journal has opened the reactor: its actions are refused, each with a report.
    _ = inbox.begin(as: .stub)
    beginStub(on: reactor) { [weak self] action in
      guard let self else { return }
      discard(action, turnState.taken &- 1, as: .refused(.notOpened), .notOpened)
    }
  }

  /// Begins a generation with the initial state, with the last state after an end, or with the
  /// state from a journal.
  @inlinable
  func startTaking(on reactor: isolated R) {
    _ = inbox.begin(as: turnState.features.contains(.stub) ? .stub : .reactor)
    connect(reactor)
    if turnState.state == nil { turnState.state = reactor.initialState }
    if Self.hasTurnHook || Self.hasStateHook {
      let hooks = Hooks(
        of: inbox.generation,
        note: { [weak self] in self?.note($0, of: $1) },
        report: { [weak self] in self?.report($0, $1, $2) })
      reactor.callHooks(of: self, hooks)
      details.hooks = hooks
      shared.withLock { $0.rare.hooks = hooks }
    } else {
      callHooks(nil, on: reactor)
    }
    if let outputStage { begin(through: outputStage) }
    if concurrentStateIfMade != nil { beginFollowing(on: reactor) }
    if hasFirst, turnState.taken == 0 {
      // A reactor that is stopped before any action was sent does not begin.
      if inbox.isClosed, inbox.nextNumber == 1 { skip(0) }
      requestJob()
    }
    if ReactorObservers.isAny { followObservers(on: reactor) }
  }

  /// Makes the reactor a stub, which records its actions instead of taking them.
  @usableFromInline
  func beginStub(
    on reactor: isolated R, _ record: @escaping @Sendable (R.Action) -> Void
  ) {
    details.recordAction = record
    turnState.features.insert(.stub)
    connect(reactor)
    turnState.state = reactor.initialState
  }

  /// Begins again after an end: the hooks are called again, and the state is kept.
  ///
  /// - Parameters:
  ///   - state: The state to continue from, if not from the last one.
  ///   - generation: The generation that has ended, with all of its work.
  ///   - reactor: The reactor.
  /// - Returns: Whether the reactor has begun again, by this or by another restart; false if
  ///   another restart was first, and so `state` was not used.
  func restart(from state: R.State?, after generation: UInt32, on reactor: isolated R) -> Bool {
    // The next generation may have been stopped by now, and not have ended.
    guard inbox.lifecycle.generation == generation else { return state == nil }
    guard inbox.lifecycle.state == .ended else { return true }
    // Its journal has been released; to open it, another reactor has to be made.
    if Self.isJournaled {
      report(.notOpened, nil)
      return true
    }
    details.hooks = nil
    details.reducedStates = nil
    let earlier = shared.withLock { $0.reopen() }
    withExtendedLifetime(earlier) {}
    if let state {
      turnState.state = state
      version += 1
    }
    guard inbox.restart(after: generation) == .begin else { return true }
    start(on: reactor)
    if let steps {
      steps.receive(.began(current(on: reactor)))
      watchStates(on: reactor)
    }
    events.publishRestart()
    return true
  }

  // MARK: Followers

  /// Passes the first state to the followers, and ensures that they get the later ones.
  @usableFromInline
  func beginFollowing(on reactor: isolated R) {
    let followers = withFollowers { $0.filter { $0.followsStates } }
    guard !followers.isEmpty, let state = turnState.state else { return }
    details.followers = followers
    outlet.needEveryElement(true)
    details.hooks?.inputs.states?.needEveryElement(true)
    if details.reducedStates == nil { details.reducedStates = outlet }
    for follower in followers { follower.begin(with: state) }
  }

  /// Lets the followers drain their work, including work that they begin meanwhile.
  private func drainFollowers(on reactor: isolated R) async {
    while !inbox.lifecycle.isExpedited {
      let waits = turnState.details?.pointee.followers.compactMap { $0.drain() } ?? []
      // Work that was ended meanwhile is in the ledger.
      if waits.isEmpty, ledger.isEmpty { return }
      await waitUnlessExpedited { latch in
        if waits.isEmpty { return ledger.openWhenIdle(latch) }
        PipelineTasks.make {
          for wait in waits { await wait() }
          latch.open()
        }
      }
    }
  }

  /// Ends the followers' work, with the reactor.
  @usableFromInline
  func endFollowing() {
    guard let details = turnState.details, !details.pointee.followers.isEmpty else { return }
    let waits = details.pointee.followers.compactMap { $0.end() }
    details.pointee.followers = []
    // Nothing waits for the end of a reactor that has been released.
    guard reactor != nil else { return }
    for wait in waits { keepOpen(until: wait) }
  }

  @usableFromInline
  nonisolated(nonsending) func abandonedByFollowers() async -> [AbandonedWork] {
    var abandoned: [AbandonedWork] = []
    for follower in rareIfMade({ $0.followers }) ?? [] { abandoned += await follower.abandoned() }
    return abandoned
  }

  // MARK: Ending

  /// Ends the reactor once every action sent before `stop()` has been dequeued and taken: cancels
  /// running work, and ends the streams.
  @usableFromInline
  func stop(on reactor: isolated R) async {
    guard isEndDue else { return }
    let mode: StopMode =
      switch inbox.lifecycle.mode {
      case .drain: .drain
      case .cancel, nil: .cancel
      }
    var step = inbox.passed(.taking)
    // A drain does not wait for these.
    if phase == .draining { cancel(runs().filter(\.isCancelledByDrain)) }
    notify(.stopping(mode))
    while case .wait(let stage) = step {
      switch stage {
      case .taking: break
      case .hook:
        if let input = details.hooks?.inputs.actions {
          await waitUnlessExpedited { input.openWhenIdle($0) }
        }
        // There will be no further action.
        events.finishActions()
      case .work: await waitUnlessExpedited { ledger.openWhenIdle($0) }
      case .children: await drainFollowers(on: reactor)
      }
      step = inbox.passed(stage)
    }
    guard step == .finish else { return }
    processRequestsNow(on: reactor)
    await finish(on: reactor)
  }

  /// Waits until a latch has been opened, or the end is expedited.
  ///
  /// - Parameter open: Registers the latch to be opened; called in the caller's isolation.
  @usableFromInline
  nonisolated(nonsending) func waitUnlessExpedited(_ open: (Latch) -> Void) async {
    let latch = Latch()
    if inbox.openWhenExpedited(latch) { return }
    open(latch)
    await latch.wait()
    ledger.remove(latch)
    inbox.removeExpeditedLatch()
  }

  /// The inbox has been closed: a job carries out the end, or the end is expedited.
  func handle(_ closing: Inbox<R.Action>.Closing, of reactor: R? = nil) {
    switch closing.step {
    // The job may find no action. It is needed all the same, since it carries out the end.
    case .begun: if closing.schedules, let reactor { wake(reactor) }
    case .expedited: endHeldMutations(of: closing.generation)
    // The hooks may not have existed when the end was expedited.
    case .already: if inbox.lifecycle.isExpedited { endHeldMutations(of: closing.generation) }
    }
  }

  private func endHeldMutations(of generation: UInt32) {
    // The next generation may have begun meanwhile, with hooks of its own.
    if let hooks = sharedHooks, hooks.generation == generation { hooks.endMutations() }
  }

  /// `stop()` has been called again: whatever a hook still holds is discarded.
  ///
  /// - Parameter generation: The generation that is to end; a later one is not affected.
  @usableFromInline
  func expedite(_ generation: UInt32) { handle(inbox.close(.cancel, of: generation)) }

  /// Cancels running work, and ends every stream.
  ///
  /// - Parameters:
  ///   - isCutShort: Whether actions still wait in the inbox, which are dropped.
  ///   - reactor: The reactor.
  private func finish(isCutShort: Bool = false, on reactor: isolated R) async {
    // The work that the end is about to cut short, for the receipts of the stop.
    var actions = openActions(excludingCancelled: true)
    let generation = inbox.lifecycle.generation
    let cancelled = end(isFirst: true)
    // Some running actions may have ended since.
    actions.removeAll { action in
      guard case .running = action.status else { return false }
      return !cancelled.contains(action.number.rawValue)
    }
    let earlier = shared.withLock { shared in
      defer { shared.rare.abandoned = actions.isEmpty ? nil : (generation, actions) }
      return shared.rare.abandoned
    }
    withExtendedLifetime(earlier) {}
    for envelope in isCutShort ? turnState.batch.removeAll() + inbox.dropWaiting() : [] {
      let turn = turn(of: envelope)
      if !turnState.checksEachAction || !endIfSkipped(turn.number) {
        discard(turn.action, turn.number, as: .neverBegun, .actionDropped)
      }
      settleUntaken(turn.number)
    }
    await outputStage?.close()
    inbox.finished()
  }

  /// Ends the reactor, because what has been reduced cannot be kept.
  @usableFromInline
  nonisolated(nonsending) func fail(
    with error: any Error, showing state: R.State?, _ shut: @Sendable () -> Void
  ) async {
    if let reactor { await fail(with: error, showing: state, shut, on: reactor) }
  }

  private func fail(
    with error: any Error, showing state: R.State?, _ shut: @Sendable () -> Void,
    on reactor: isolated R
  ) async {
    // First everything that the resumed tasks read.
    let closing = inbox.close(.cancel)
    if let state { turnState.state = state }
    report(.journalFailed(error), nil)
    shut()
    handle(closing, of: reactor)
    if inbox.cutShort() { await finish(isCutShort: true, on: reactor) }
  }

  /// Cancels running work, and ends every stream.
  ///
  /// - Parameter isFirst: Whether this has not been done before.
  /// - Returns: The actions whose effects were cancelled.
  @inlinable
  @discardableResult
  func end(isFirst: Bool) -> Set<UInt64> {
    let waiting = Self.hasLanes ? turnState.details?.pointee.lanes.abandon() : nil
    for (number, action) in waiting ?? [] {
      discard(action, number, as: .neverBegun, .actionDropped)
      endWork(of: number)
    }
    let cancelled = cancel(runs())
    endFollowing()
    events.finishActions()
    let hooks = turnState.details?.pointee.hooks
    hooks?.end()
    while turnState.details?.pointee.batches.isEmpty == false { endBatch() }
    // An ask ends once the outcome of everything is known.
    endAsks()
    releaseViaStage(.end { self.finishShowing(hooks) })
    if isFirst { notify(.stopped) }
    return Set(cancelled.map(\.number))
  }

  /// Cancels effects with the reactor.
  ///
  /// - Returns: The effects that were cancelled: those that had not ended.
  @usableFromInline
  @discardableResult
  func cancel(_ runs: [Run]) -> [Run] {
    runs.filter { run in
      guard !run.hasEnded else { return false }
      let end: ActionOutcome = run.isCancelled ? .cancelled : .reactorEnded
      // An effect may end on another thread meanwhile, so that its action has finished.
      guard ledger.note(end, of: run.number, ifOpen: run) else { return false }
      notifyOutcome(end, of: run.number)
      run.cancel()
      return true
    }
  }

  /// The last reference has been released: from now on, only this thread changes anything.
  @inlinable
  func reactorReleased() {
    var number = turnState.taken
    // A first action that never began is not reported as dropped.
    let neverBegan = hasFirst && number == 0 && phase == .idle
    var dropped = turnState.batch.removeAll()
    let (waiting, isFirst) = inbox.release()
    dropped += waiting
    for envelope in dropped {
      if number != 0 || !neverBegan { report(.actionDropped, envelope.action, number) }
      envelope.context?.member?.leave()
      number &+= 1
    }
    // A lane's timer may run even if no action waits and nothing is observed.
    if Self.hasLanes, concurrentStateIfMade == nil {
      _ = turnState.details?.pointee.lanes.abandon()
    }
    if let concurrentState = concurrentStateIfMade {
      end(isFirst: isFirst)
      events.finishRestarts()
      releaseOutside()
      // The effects have been cancelled. Each stays open until it has returned, as it may have to
      // clean up. All other work ends here, after the sinks have been notified.
      concurrentState.pointee.ledger.abandon(except: Self.workOutside)
    }
    // If there is concurrent state, the reactor's last state may still be requested.
    if concurrentStateIfMade == nil { turnState.state = nil }
    turnState.details.take()?.free()
  }

  /// Notifies everything that is connected with the reactor of the release.
  @usableFromInline
  func releaseOutside() {
    abandonMarks(turnState.details?.pointee.marks ?? [])
    for follower in withFollowers({ $0 }) { follower.released() }
    if let stage = outputStage { PipelineTasks.detached { await stage.close() } }
    notify(.released)
    for entry in shared.withLock({ $0.rare.observers.all }) { remove(entry) }
  }

  // MARK: Waiting for the end

  @usableFromInline
  nonisolated(nonsending) func waitUntilAllSettled(in generation: UInt32) async {
    if let latch = inbox.latchForEnd(of: generation) {
      await latch.wait()
      // A latch that was opened by a cancellation would otherwise be kept as long as the reactor.
      if Task.isCancelled { return inbox.remove(latch) }
    }
    guard let concurrentState = concurrentStateIfMade else { return }
    let latch = Latch()
    concurrentState.pointee.ledger.openWhenIdle(latch)
    // All work of a generation has ended before another one begins.
    if inbox.lifecycle.generation == generation { await latch.wait() }
    concurrentState.pointee.ledger.remove(latch)
  }

  @usableFromInline
  func isEverythingSettled(in generation: UInt32) -> Bool {
    inbox.lifecycle.generation != generation
      || inbox.lifecycle.hasEnded && concurrentStateIfMade?.pointee.ledger.isEmpty != false
  }

  @usableFromInline
  nonisolated(nonsending) func abandoned(in generation: UInt32) async -> [OpenAction] {
    // In a task of its own, because waiting ends early in a cancelled task.
    await PipelineTasks.inheriting { await self.inbox.latchForEnd(of: generation)?.wait() }.value
    let abandoned = rareIfMade { $0.abandoned } ?? nil
    return abandoned?.generation == generation ? abandoned?.actions ?? [] : []
  }

  /// The actions whose work continues, in the order in which they were sent.
  func openActions(excludingCancelled isExcluding: Bool = false) -> [OpenAction] {
    WorkTimes().list(
      running: concurrentStateIfMade == nil ? [] : runs(),
      waiting: turnState.details?.pointee.lanes.parked ?? [:], excludingCancelled: isExcluding)
  }
}
