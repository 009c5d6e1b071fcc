public import Synchronization

extension PipelineCore {
  /// How many actions are taken before other work on the reactor gets a chance.
  @inlinable static var turnsAtATime: Int { 1024 }

  /// Sees to it that the inbox is drained, by a job that exists only while there is work.
  @inlinable
  func wake(_ reactor: R) {
    connect(reactor)
    // Asked for anew: a reactor that is in its `deinit` is not there any more, and must not be
    // held.
    guard let home = self.reactor, home === reactor else { return isNotHome(of: reactor) }
    SimulatedExecutor.pipelineTask { await home._drain() }
  }

  @inlinable
  func drain(on reactor: isolated R) async {
    start(on: reactor)
    if Self.hasMutationHook, own.phase != .stubbed {
      await drainThroughHook(on: reactor)
    } else if SimulatedExecutor.isActive, own.phase != .stubbed {
      await drainOneByOne(on: reactor)
    } else {
      while goesOn(on: reactor) { await Task.yield() }
    }
    if hasReachedEnd.exchange(false, ordering: .relaxed) { await stop(on: reactor) }
    tidy()
  }

  /// Takes what waits, and looks whether the job is to go on.
  ///
  /// It is where there may be more, and once more where many came: more of them are likely to be on
  /// their way, and the next would have to make a job for itself, which costs its sender far more.
  @inlinable
  func goesOn(on reactor: isolated R) -> Bool {
    let before = own.taken
    if takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor) { return true }
    if own.taken &- before >= Self.turnsOfABurst { return true }
    return takeTurns(upTo: Self.turnsAtATime, endingJob: true, on: reactor)
  }

  /// From how many actions at a time on a job expects more.
  @inlinable static var turnsOfABurst: UInt64 { 8 }

  /// Takes what waits, in order.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  func takeTurns(upTo limit: Int, endingJob: Bool, on reactor: isolated R) -> Bool {
    if own.phase == .stubbed {
      recordTurns(endingJob: endingJob, on: reactor)
      return false
    }
    var rest = limit
    if hasReady { startReady(on: reactor) }
    while let action = nextAction(endingJob: endingJob, on: reactor) {
      enter(action.action, number: action.number, on: reactor)
      if hasReady { startReady(on: reactor) }
      rest -= 1
      if rest == 0 { return true }
    }
    return false
  }

  /// The next action that has not been cancelled; `nil` when there is none, and the job may end.
  @inlinable @inline(__always)
  func nextAction(
    endingJob: Bool, on reactor: isolated R
  ) -> (action: R.Action, number: UInt64)? {
    if !attention.load(ordering: .acquiring), !own.hasSkipped,
      let next = own.batch.popFirst(R.Action.self)
    {
      defer { own.taken &+= 1 }
      return (next, own.taken)
    }
    return lookForAction(endingJob: endingJob, on: reactor)
  }

  /// The same where there is more to do than to take it.
  @inlinable @inline(never)
  func lookForAction(
    endingJob: Bool, on reactor: isolated R
  ) -> (action: R.Action, number: UInt64)? {
    while true {
      var next = own.batch.popFirst(R.Action.self)
      if next == nil, refill(endingJob: endingJob) { next = own.batch.popFirst(R.Action.self) }
      // After the inbox: what was left before an action was sent is seen before it is taken, and
      // whoever left something since may have counted on this job.
      if attention.load(ordering: .acquiring) { attend(on: reactor) }
      guard let next else {
        if Self.hasLanes, !Self.hasActionHook, let details = own.details {
          details.pointee.lanes.forgetCuts(before: own.taken)
        }
        return nil
      }
      let number = own.taken
      own.taken &+= 1
      guard own.hasSkipped, forgetSkipped(number) else { return (next, number) }
      forgetContext(of: number)
      settleIfIdle(number)
    }
  }

  @inlinable
  func refill(endingJob: Bool) -> Bool {
    // A burst's memory is given back; the usual handful is kept.
    if own.batch.capacity > Self.turnsAtATime { own.batch.free() }
    switch inbox.take(into: &own.batch, endingJob: endingJob) {
    case .actions: return true
    case .nothing: return false
    case .end:
      // The one who waits for a receipt leaves the end to the job.
      hasReachedEnd.store(endingJob, ordering: .relaxed)
      return false
    case .unknown: return refillWithExtras(endingJob: endingJob)
    }
  }

  @inlinable @inline(never)
  func refillWithExtras(endingJob: Bool) -> Bool {
    var companions: [ActionCompanion] = []
    let found = inbox.take(
      into: &own.batch, companions: &companions, inboxExtras, endingJob: endingJob)
    if !companions.isEmpty { unpack(companions) }
    if found == .end { hasReachedEnd.store(endingJob, ordering: .relaxed) }
    return found == .actions
  }

  // MARK: Turns

  /// Whether the action that is being taken is the last one out of the inbox, unless it has waited
  /// in a lane.
  @inlinable static var takesInLine: Bool { !hasActionHook && !hasMutationHook }

  /// The action that is being taken now.
  @inlinable var taking: UInt64? {
    guard own.isTaking else { return nil }
    guard Self.takesInLine else { return details.taking }
    return Self.hasLanes ? own.details?.pointee.taking ?? own.taken &- 1 : own.taken &- 1
  }

  @inlinable
  func beginTurn(_ number: UInt64) {
    own.isTaking = true
    if !Self.takesInLine { details.taking = number }
  }

  @inlinable
  func finishTaking(_ number: UInt64) {
    own.isTaking = false
    if own.hasSkipped { _ = forgetSkipped(number) }
    if own.isAwaited, number >= parts.pointee.awaited {
      settleIfIdle(number)
    }
  }

  func skip(_ number: UInt64) {
    details.skipped.insert(number)
    own.hasSkipped = true
  }

  /// - Returns: Whether it was cancelled.
  @usableFromInline
  func forgetSkipped(_ number: UInt64) -> Bool {
    defer { own.hasSkipped = !details.skipped.isEmpty }
    guard details.skipped.remove(number) != nil else { return false }
    note(.cancelled, of: number)
    return true
  }

  /// Looks, after each turn from this action's on, for those who wait.
  @inlinable
  func watch(for number: UInt64) {
    parts.pointee.awaited = min(parts.pointee.awaited, number)
    own.isAwaited = true
  }

  /// The same, where every mutation has to pass a hook and thus takes a while.
  @inlinable
  func drainThroughHook(on reactor: isolated R) async {
    while true {
      if hasReady {
        await startReadyThroughHook(on: reactor)
        continue
      }
      guard let (action, number) = nextAction(endingJob: true, on: reactor) else { return }
      if Self.hasActionHook {
        enter(action, number: number, on: reactor)
      } else {
        await takeThroughHook(action, number: number, on: reactor)
      }
    }
  }

  /// A number for an action that nobody sent: a hook made it.
  @inlinable
  func numberForUnsent() -> UInt64 {
    details.unsent &+= 1
    return 1 << 63 | details.unsent
  }
}
