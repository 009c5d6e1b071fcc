public import Synchronization

extension PipelineCore {
  /// The reactor, if it is still there.
  @inlinable
  var reactor: R? { isConnected.load(ordering: .acquiring) ? home : nil }

  /// Remembers, weakly, whose pipeline this is.
  @inlinable
  func connect(_ reactor: R) {
    if !isConnected.load(ordering: .acquiring) { connectNow(reactor) }
  }

  @inlinable @inline(never)
  func connectNow(_ reactor: R) {
    guard reactor.pipeline.core === self else { return isNotKept() }
    #if DEBUG
      NearMisses.refuse(in: R.self)
    #endif
    inbox.contents.withLock { _ in
      guard !isConnected.load(ordering: .relaxed) else { return }
      home = reactor
      isConnected.store(true, ordering: .releasing)
    }
  }

  /// An author's `pipeline` makes another one each time that it is asked for.
  @usableFromInline
  func isNotKept() {
    preconditionFailure(
      "\(R.self): 'pipeline' makes a new pipeline each time; store one: let pipeline = Pipeline()")
  }

  /// Whoever sends to this pipeline is not its reactor: that one is in its `deinit`, or two share
  /// it.
  @usableFromInline
  func isNotHome(of reactor: R) {
    weak let living = reactor
    if living == nil { return }
    preconditionFailure(
      "\(R.self): two reactors share one pipeline; give each its own: let pipeline = Pipeline()")
  }

  // MARK: Cancelling

  /// Cancels an action's own work, from any thread.
  ///
  /// Effects that run are cancelled here and now. For all else the reactor looks before it reduces
  /// anything more.
  func cancel(_ number: UInt64) {
    guard let reactor else { return }
    // Known first: an effect that ends at once must not make room in its lane for who is cancelled
    // too.
    shared.withLock { $0.rare.cancelled.append(number) }
    attention.store(true, ordering: .sequentiallyConsistent)
    for one in [number] + ledger.twins(of: number) {
      for run in ledger.works(of: one) { run.cancel() }
    }
    if inbox.requestJob() { wake(reactor) }
  }

  func cancelNow(_ number: UInt64, on reactor: isolated R) {
    for twin in ledger.twins(of: number) { cancelNow(twin, on: reactor) }
    if Self.hasLanes { giveUp(number, nil, on: reactor) }
    if let opening, opening.number == number {
      opening.cancel()
      for run in details.openingTogether { run.cancel() }
      // The effect that is being started here has no handle yet, but it is what is running now.
      if own.isInsideEffect { withUnsafeCurrentTask { $0?.cancel() } }
    }
    for run in ledger.works(of: number) { run.cancel() }
    // Once a hook has an action, what comes out can no longer be told apart: it is past recalling.
    details.hooks?.actionInput?.withdraw(number) { note(.cancelled, of: number) }
    let isToCome = number >= own.taken && number < 1 << 63
    if isToCome || number == taking { skip(number) }
  }

  // MARK: Ending

  /// Everything sent before `stop()` has left the inbox: once it has been taken, cancel what runs,
  /// and end the streams.
  @usableFromInline
  func stop(on reactor: isolated R) async {
    guard own.phase == .running || own.phase == .stubbed else { return }
    own.phase = .stopping
    if let input = details.hooks?.actionInput { await waitUnlessHurried { input.whenIdle($0) } }
    // Nobody need wait for another action: there will be none.
    events.finishActions()
    if inbox.isDraining {
      await waitUnlessHurried { ledger.whenIdle($0) }
    }
    guard own.phase == .stopping else { return }
    attend(on: reactor)
    ledger.willAbandon(openActions(sparingCancelled: true, on: reactor))
    end()
    ledger.stop()
    shared.withLock { $0.rare.hurriedLife = nil }
  }

  /// Waits until a latch has been opened, or until `stop()` is called again.
  private func waitUnlessHurried(_ open: (Latch) -> Void) async {
    let latch = Latch()
    let isHurried = shared.withLock { shared in
      shared.rare.stopLatch = latch
      return shared.rare.hurriedLife == ledger.life
    }
    if !isHurried {
      open(latch)
      await latch.wait()
      ledger.forget(latch)
    }
    shared.withLock { $0.rare.stopLatch = nil }
  }

  /// `stop()` has been called again: whatever a hook still holds is given up.
  ///
  /// - Parameter life: Which life was to end; one that comes after it is left alone.
  func hurry(_ life: UInt32) {
    let (hooks, latch) = shared.withLock { shared -> (PipelineHooks<R>?, Latch?) in
      guard ledger.isGoingOn(life) else { return (nil, nil) }
      shared.rare.hurriedLife = life
      return (shared.rare.hooks, shared.rare.stopLatch)
    }
    latch?.open()
    finishMutations(of: hooks)
  }

  /// Ends the input of `transform(mutation:)`; what it never saw is given up.
  private func finishMutations(of hooks: PipelineHooks<R>?) {
    let dropped = hooks?.mutationInput?.finish(willDrop: { item in
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
  ///   - reactor: The reactor.
  func restart(from state: R.State?, on reactor: isolated R) {
    guard own.phase == .stopped else { return }
    own.phase = .idle
    details.hooks = nil
    details.live = nil
    shared.withLock { shared in
      (shared.output, shared.hasEnded) = (nil, false)
      shared.rare.hooks = nil
    }
    if let state {
      own.state = state
      version += 1
    }
    events.reopen()
    let waiting = inbox.reopen { ledger.restart() }
    for latch in waiting { latch.open() }
    start(on: reactor)
    goOnWithJournal(on: reactor)
    events.tellRestart()
  }

  /// The last reference has gone; this thread has everything to itself.
  @inlinable
  func reactorIsGone() {
    var number = own.taken
    for action in own.batch.takeAll(R.Action.self) {
      report(.actionDropped, action, number)
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
      // The effects hold this and are held here; they have been cancelled, and have nowhere to go.
      parts.pointee.ledger.abandon(key: endsKey)
      abandonMilestones()
    }
    // With parts, somebody may yet ask for the last state.
    if partsIfMade == nil { own.state = nil }
    own.phase = .stopped
    if let details = own.details.take() {
      details.deinitialize(count: 1)
      details.deallocate()
    }
  }

  @inlinable
  func end() {
    let isFirst = own.phase != .stopped
    own.phase = .stopped
    if Self.hasLanes { abandonLanes() }
    for run in ledger.works() {
      note(run.isCancelled ? .cancelled : .reactorEnded, of: run.number)
      run.cancel()
    }
    endAsked()
    events.finishActions()
    events.finishOutputs()
    let hooks = own.details?.pointee.hooks
    if let hooks { end(hooks) }
    if hooks?.stateInput == nil {
      let output = shared.withLock { shared in
        shared.hasEnded = true
        defer { shared.output = nil }
        return shared.output
      }
      own.details?.pointee.live = nil
      output?.finish(with: own.state, version: version)
    }
    if isFirst { own.details?.pointee.journal?.record(.ended) }
  }

  @usableFromInline
  func end(_ hooks: PipelineHooks<R>) {
    let actions = hooks.actionInput?.finish { held in
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
    for task in hooks.tasks { task.cancel() }
    guard let input = hooks.stateInput else { return }
    hooks.stateEnd?.gave(version + 1)
    input.finish()
  }

  // MARK: Reporting

  @usableFromInline
  func report(_ problem: ReactorReport.Problem, _ action: R.Action?, _ number: UInt64? = nil) {
    let (identity, journal) = shared.withLock { ($0.identity, $0.rare.journal) }
    let report = ReactorReport(
      reactor: R.self, identity: identity, action: action,
      actionNumber: number.map(ActionNumber.init), problem: problem)
    journal?.record(.report(report))
    ReactorReports.withoutLines(journal?.answersForReports() == true) {
      if let reactor { reactor.report(report) } else { ReactorReports.deliver(report) }
    }
  }
}
