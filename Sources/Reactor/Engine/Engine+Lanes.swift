public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// The lanes, and the pending requests of other threads: cancelled actions and lanes, new
/// subscribers, marks, and actions that were sent together.
extension Engine {
  /// Known where the reactor's type is known: a reactor without `lane(for:)` has no code for lanes.
  @inlinable static var hasLanes: Bool { R.LaneResult.self != _NoLane.self }

  // MARK: Entering a lane

  /// Decides what happens to an action, before any part of it begins.
  ///
  /// - Returns: Whether it starts now.
  @inlinable
  func enterLane(_ turn: Turn<R.Action>, on reactor: isolated R) -> Bool {
    guard Self.hasLanes, !turnState.features.contains(.stub),
      let lane = reactor.lane(for: turn.action)._lane
    else { return true }
    var changes = LaneChanges<R.Action>()
    let entry = details.lanes.arrive(
      turn.action, turn.number, in: lane, with: turn.context, &changes)
    switch entry {
    case .begins:
      if changes.record != nil { carryOut(changes, on: reactor) }
      return true
    case .waits:
      ledger.begin(turn.number)
      notify(.waits(number: turn.number, lane: lane.key))
      if AskWaitGraph.hasWaits { detectDeadlock(before: turn.number) }
    case .cancelled: note(.cancelled, of: turn.number)
    case .rejected(let problem):
      discard(turn.action, turn.number, as: ActionOutcome(problem, in: lane.key), problem)
    }
    carryOut(changes, on: reactor)
    return false
  }

  /// An action has begun to wait in its lane.
  @usableFromInline
  func detectDeadlock(before number: UInt64) {
    AskWaitGraph.detectDeadlock(AskingWork(self, ledger.origin(of: number)))
  }

  // MARK: Leaving a lane

  /// Carries out the consequences of a change in a lane.
  @inlinable
  func carryOut(_ changes: LaneChanges<R.Action>, on reactor: isolated R) {
    if let record = changes.record {
      for number in changes.evicted { evict(number, from: record, on: reactor) }
    }
    for (number, parked, problem) in changes.discarded {
      discard(
        parked.action, number, as: ActionOutcome(problem, in: parked.record.lane.key), problem)
      endWork(of: number)
    }
    if changes.startsTimer, let record = changes.record { startTimer(of: record) }
  }

  @inlinable
  func evict(_ number: UInt64, from record: LaneRecord, on reactor: isolated R) {
    let key = record.lane.key
    let end = ActionOutcome.evicted(key)
    // Its turn may still be in progress, waiting for a hook to pass its mutations on.
    let isInTurn = number == taking && !details.skipped.contains(number)
    var action = isInTurn ? details.hooks?.turns.action : nil
    let runs = ledger.works(of: number, endingBy: end) { works in
      let run = works.lazy.map(Self.run).first { !$0.isCancelled }
      if let run { action = run.action }
      return action != nil
    }
    if action != nil { notifyOutcome(end, of: number) }
    if isInTurn { skip(number) }
    let mayEndOffReactor = action != nil && !isInTurn && !record.machine.isUnwinding(number)
    for run in runs.lazy.map(Self.run) {
      if mayEndOffReactor { run.mayEndOffReactor.store(true, ordering: .releasing) }
      run.cancel()
    }
    if let action { report(.evictedFromLane(key), action, number) }
  }

  // MARK: Starting actions that have waited

  /// Whether an action has got a slot and waits for its turn.
  @inlinable var hasReady: Bool {
    Self.hasLanes && turnState.details?.pointee.lanes.hasReady == true
  }

  /// Starts the actions that have got a slot, one turn each, unless a turn is in progress.
  @inlinable
  func startReady(on reactor: isolated R) {
    guard hasReady, taking == nil else { return }
    // Not in the task of a cancelled effect: it is unrelated to the actions that have waited.
    var rest = Self.takesAtOnce && !Task.isCancelled ? Self.turnsAtATime : 0
    while rest > 0, let turn = nextReady(on: reactor) {
      take(turn, on: reactor)
      rest -= 1
    }
    if rest == 0, hasReady { requestJob() }
  }

  /// The turn of the next action that has to start, unless it has just been cancelled.
  @inlinable
  func nextReady(on reactor: isolated R) -> Turn<R.Action>? {
    processRequests(on: reactor)
    guard let (number, parked) = turnState.details?.pointee.lanes.nextReady() else { return nil }
    let slot = LaneSlot(parked.record, number)
    return Turn(parked.action, number: number, with: parked.context, in: slot)
  }

  // MARK: Timers

  @usableFromInline
  func startTimer(of record: LaneRecord) {
    if record.moveTimer() { return }
    // The weak reference is to the reactor, not to its engine. Nothing else has a weak reference to
    // the engine, and the first one allocates 48 bytes that are kept.
    record.startTimer { [weak reactor = reactor, weak record] round in
      guard let record, let reactor else { return nil }
      return await reactor.pipeline.core.timeIsUp(record, round, on: reactor)
    }
  }

  /// - Returns: How much of the time is left after all.
  private func timeIsUp(
    _ record: LaneRecord, _ round: Int, on reactor: isolated R
  ) -> Duration? {
    processRequests(on: reactor)
    guard record.isCurrent(round) else { return nil }
    if let rest = record.remainingTime(of: round, at: .now) { return rest }
    carryOut(details.lanes.timerFired(record), on: reactor)
    startReady(on: reactor)
    removeUnused(on: reactor)
    return nil
  }

  // MARK: Requests of other threads

  /// Adds a request that the reactor processes before it continues; callable on any thread.
  @usableFromInline
  func post(_ change: (inout LockedState<R>.Requests) -> Void) {
    shared.withLock { change(&$0.rare.requests) }
    hasRequests.store(true, ordering: .sequentiallyConsistent)
  }

  /// Processes the pending requests of other threads, if there are any.
  @inlinable @inline(__always)
  func processRequests(on reactor: isolated R) {
    if hasRequests.load(ordering: .acquiring) { processRequestsNow(on: reactor) }
  }

  @usableFromInline
  func processRequestsNow(on reactor: isolated R) {
    hasRequests.store(false, ordering: .sequentiallyConsistent)
    let requests = shared.withLock { $0.takeRequests() }
    for number in requests.cancelled { cancelNow(number, on: reactor) }
    for (key, number) in requests.cancelledLanes { cancelLane(key, before: number, on: reactor) }
    if hasReady { requestJob() }
    if !requests.batches.isEmpty || turnState.details?.pointee.batches.isEmpty == false {
      holdStates(for: requests.batches, on: reactor)
    }
    connectOutlet()
    if !requests.marks.isEmpty || turnState.details?.pointee.marks.isEmpty == false {
      passMarks(requests.marks, on: reactor)
    }
  }

  // MARK: Cancelling

  /// Cancels an action's own work, from any thread.
  ///
  /// Running effects are cancelled immediately. The reactor processes the rest before it reduces
  /// anything more.
  @usableFromInline
  func cancel(_ number: UInt64) {
    guard reactor != nil else { return }
    // The request is added first: an effect that ends immediately frees its slot, and the next
    // action in the lane may be cancelled together with it.
    post { $0.cancelled.append(number) }
    for one in ledger.actionAndFurther(of: number) {
      for run in runs(of: one) { run.cancel() }
    }
    requestJob()
  }

  /// Cancels an action's own work, in whatever state the action is.
  func cancelNow(_ number: UInt64, on reactor: isolated R) {
    for further in ledger.furtherActions(of: number) { cancelNow(further, on: reactor) }
    if Self.hasLanes { carryOut(details.lanes.cancel(number), on: reactor) }
    for run in runs(of: number) { run.cancel() }
    // The running code may be the effect that is being started, which has no task to cancel yet.
    if let starting, starting.number == number { starting.cancelDuringStart() }
    // Once a hook has an action, its output can no longer be attributed, so it cannot be withdrawn.
    details.hooks?.inputs.actions?.withdraw(number) { note(.cancelled, of: number) }
    let isToCome = number >= turnState.taken && number < HookActionNumber.first
    if isToCome || number == taking { skip(number) }
  }

  /// Cancels a lane for a caller that is on the reactor.
  func cancelLane(_ key: LaneKey, on reactor: isolated R) {
    processRequests(on: reactor)
    // The caller is part of the current turn: it is `mutate`, or an effect before it first
    // suspends. If turns suspend, it may be other code.
    let isInsideEffect = starting != nil
    if let taking, Self.takesAtOnce || details.isInsideMutate || isInsideEffect {
      // The actions before the one that is being taken; later ones are not cancelled.
      cancelLane(key, before: min(taking, turnState.taken), inTurnOf: taking, on: reactor)
      if isInsideEffect, details.lanes.keyOfTurn == key { cancelNow(taking, on: reactor) }
    } else {
      cancelLane(key, before: inbox.nextNumber, on: reactor)
    }
    if hasReady { requestJob() }
  }

  /// Cancels the actions that run or wait in a lane.
  ///
  /// Actions that were sent but not taken will not start, unless the cancelling caller is an action
  /// of this reactor.
  private func cancelLane(
    _ key: LaneKey, before number: UInt64, inTurnOf excluded: UInt64? = nil, on reactor: isolated R
  ) {
    let isInHook = details.hooks?.inputs.actions?.isEmpty == false
    if excluded == nil, number > turnState.taken || isInHook {
      details.lanes.cancelPending(in: key, before: number)
    }
    for one in details.lanes.actions(in: key, taking: taking)
    where one != excluded && (one < number || one >= HookActionNumber.first) {
      cancelNow(one, on: reactor)
    }
    if let record = details.lanes.records[key] { details.lanes.removeUnused(record) }
  }

  // MARK: Actions by number

  /// The action that is being taken now.
  @inlinable var taking: UInt64? {
    guard turnState.isTaking else { return nil }
    guard !Self.hasTurnHook else { return details.taking }
    return turnState.details?.pointee.taking ?? turnState.taken &- 1
  }

  /// Marks an action: it must not be taken, or the rest of its turn must be skipped.
  @usableFromInline
  func skip(_ number: UInt64) {
    details.skipped.insert(number)
    turnState.checksEachAction = true
  }

  /// If an action must not be taken, or was cancelled in its turn, notes that it has ended as
  /// cancelled.
  ///
  /// - Returns: Whether that is so.
  @usableFromInline
  func endIfSkipped(_ number: UInt64) -> Bool {
    let isSkipped = details.skipped.remove(number) != nil
    turnState.checksEachAction = !details.skipped.isEmpty || details.middleware != nil
    if isSkipped { note(.cancelled, of: number) }
    return isSkipped
  }
}
