public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// The lanes, and what other threads leave for the reactor to look at before it goes on: actions
/// and lanes that were cancelled, subscribers that have come, marks, actions that were sent as one.
extension Engine {
  /// Known when the reactor's type is: a reactor without `lane(for:)` has no code for it.
  @inlinable static var hasLanes: Bool { R.LaneResult.self != _NoLane.self }

  // MARK: Entering

  /// Decides what becomes of an action, before anything of it is begun.
  ///
  /// - Returns: Whether to go on now.
  @inlinable
  func enterLane(_ turn: Turn<R.Action>, on reactor: isolated R) -> Bool {
    guard Self.hasLanes, !own.around.contains(.stub),
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
      tell(.waits(number: turn.number, lane: lane.key))
      if AskWaits.areAny { lookForCircle(before: turn.number) }
    case .cancelled: note(.cancelled, of: turn.number)
    case .turnedAway(let problem):
      lose(turn.action, turn.number, as: ActionOutcome(problem, in: lane.key), problem)
    }
    carryOut(changes, on: reactor)
    return false
  }

  /// An action has come to wait in its lane.
  @usableFromInline
  func lookForCircle(before number: UInt64) {
    AskWaits.lookForCircle(AskingWork(self, ledger.origin(of: number)))
  }

  // MARK: Leaving

  /// Does what comes of a change in a lane.
  @inlinable
  func carryOut(_ changes: LaneChanges<R.Action>, on reactor: isolated R) {
    if let record = changes.record {
      for number in changes.evicted { evict(number, from: record, on: reactor) }
    }
    for (number, parked, problem) in changes.lost {
      lose(parked.action, number, as: ActionOutcome(problem, in: parked.record.lane.key), problem)
      endWork(of: number)
    }
    if changes.startsTimer, let record = changes.record { startTimer(of: record) }
  }

  @inlinable
  func evict(_ number: UInt64, from record: LaneRecord, on reactor: isolated R) {
    let key = record.lane.key
    let end = ActionOutcome.evicted(key)
    // Its turn may be under way: it waits for a hook to pass its mutations on.
    let isInTurn = number == taking && !details.skipped.contains(number)
    var action = isInTurn ? details.hooks?.turns.action : nil
    let runs = ledger.works(of: number, endingBy: end) { works in
      let live = works.lazy.map(Self.run).first { !$0.isCancelled }
      if let live { action = live.action }
      return action != nil
    }
    if action != nil { tellNoted(end, of: number) }
    if isInTurn { skip(number) }
    let endsAnywhere = action != nil && !isInTurn && !record.machine.isUnwinding(number)
    for run in runs.lazy.map(Self.run) {
      if endsAnywhere { run.endsAnywhere.store(true, ordering: .releasing) }
      run.cancel()
    }
    if let action { report(.evictedFromLane(key), action, number) }
  }

  // MARK: Starting what has waited

  /// Whether an action has got a slot and waits for its turn.
  @inlinable var hasReady: Bool {
    Self.hasLanes && own.details?.pointee.lanes.hasReady == true
  }

  /// Starts the actions that have got a slot, one turn each, unless a turn is under way.
  @inlinable
  func startReady(on reactor: isolated R) {
    guard hasReady, taking == nil else { return }
    // Not in the task of an effect that was cancelled: it has nothing to do with what has waited.
    var rest = Self.takesAtOnce && !Task.isCancelled ? Self.turnsAtATime : 0
    while rest > 0, let turn = nextReady(on: reactor) {
      take(turn, on: reactor)
      rest -= 1
    }
    if rest == 0, hasReady { requestJob() }
  }

  /// The turn of the next action that is to start, unless it has just been cancelled.
  @inlinable
  func nextReady(on reactor: isolated R) -> Turn<R.Action>? {
    readMail(on: reactor)
    guard let (number, parked) = own.details?.pointee.lanes.nextReady() else { return nil }
    let slot = LaneSlot(parked.record, number)
    return Turn(parked.action, number: number, with: parked.context, in: slot)
  }

  // MARK: Time

  @usableFromInline
  func startTimer(of record: LaneRecord) {
    if record.moveTimer() { return }
    // Weakly the reactor rather than its core, of which nothing else has a weak reference: that
    // would be 48 bytes that stay.
    record.startTimer { [weak reactor = reactor, weak record] round in
      guard let record, let reactor else { return nil }
      return await reactor.pipeline.core.timeIsUp(record, round, on: reactor)
    }
  }

  /// - Returns: How much of the time is left after all.
  private func timeIsUp(
    _ record: LaneRecord, _ round: Int, on reactor: isolated R
  ) -> Duration? {
    readMail(on: reactor)
    guard record.isCurrent(round) else { return nil }
    if let rest = record.rest(round, at: .now) { return rest }
    carryOut(details.lanes.timerFired(record), on: reactor)
    startReady(on: reactor)
    tidy(on: reactor)
    return nil
  }

  // MARK: Left by other threads

  /// Leaves something for the reactor to look at before it goes on; any thread.
  @usableFromInline
  func post(_ change: (inout SharedNotes<R>.Left) -> Void) {
    shared.withLock { change(&$0.rare.left) }
    hasMail.store(true, ordering: .sequentiallyConsistent)
  }

  /// Looks at what other threads have left, if they have.
  @inlinable @inline(__always)
  func readMail(on reactor: isolated R) {
    if hasMail.load(ordering: .acquiring) { readMailNow(on: reactor) }
  }

  @usableFromInline
  func readMailNow(on reactor: isolated R) {
    hasMail.store(false, ordering: .sequentiallyConsistent)
    let left = shared.withLock { $0.takeLeft() }
    for number in left.cancelled { cancelNow(number, on: reactor) }
    for (key, number) in left.cutLanes { cancelLane(key, before: number, on: reactor) }
    if hasReady { requestJob() }
    if !left.batches.isEmpty || own.details?.pointee.batches.isEmpty == false {
      holdStates(for: left.batches, on: reactor)
    }
    takeUpOutlet()
    if !left.marks.isEmpty || own.details?.pointee.marks.isEmpty == false {
      passMarks(left.marks, on: reactor)
    }
  }

  // MARK: Cancelling

  /// Cancels an action's own work, from any thread.
  ///
  /// Effects that run are cancelled here and now. For all else the reactor looks before it reduces
  /// anything more.
  @usableFromInline
  func cancel(_ number: UInt64) {
    guard reactor != nil else { return }
    // Left first: an effect that ends at once frees its slot, and the next in the lane may be an
    // action that is cancelled with it.
    post { $0.cancelled.append(number) }
    for one in ledger.family(of: number) {
      for run in runs(of: one) { run.cancel() }
    }
    requestJob()
  }

  /// Cancels an action's own work, whatever has become of the action.
  func cancelNow(_ number: UInt64, on reactor: isolated R) {
    for twin in ledger.twins(of: number) { cancelNow(twin, on: reactor) }
    if Self.hasLanes { carryOut(details.lanes.cancel(number), on: reactor) }
    for run in runs(of: number) { run.cancel() }
    // The effect that is being started may be what runs, and has no task yet to be cancelled.
    if let starting, starting.number == number { starting.cancelInOpening() }
    // Once a hook has an action, what comes out can no longer be told apart: it is past recalling.
    details.hooks?.inputs.actions?.withdraw(number) { note(.cancelled, of: number) }
    let isToCome = number >= own.taken && number < UnsentNumber.first
    if isToCome || number == taking { skip(number) }
  }

  /// Cancels a lane for a caller that is on the reactor.
  func cancelLane(_ key: LaneKey, on reactor: isolated R) {
    readMail(on: reactor)
    // Part of the turn under way: `mutate`, or an effect before it first suspends. Where turns
    // suspend, it may be something else.
    let isInsideEffect = starting != nil
    if let taking, Self.takesAtOnce || details.isInsideMutate || isInsideEffect {
      // What came before the action that is being taken: those behind it are not meant.
      cancelLane(key, before: min(taking, own.taken), inTurnOf: taking, on: reactor)
      if isInsideEffect, details.lanes.keyOfTurn == key { cancelNow(taking, on: reactor) }
    } else {
      cancelLane(key, before: inbox.nextNumber, on: reactor)
    }
    if hasReady { requestJob() }
  }

  /// Cancels what runs in a lane and what waits there; and what has been sent but not taken will
  /// not start, unless it is an action of the reactor that cancels.
  private func cancelLane(
    _ key: LaneKey, before number: UInt64, inTurnOf spared: UInt64? = nil, on reactor: isolated R
  ) {
    let isInHook = details.hooks?.inputs.actions?.isEmpty == false
    if spared == nil, number > own.taken || isInHook { details.lanes.cut(key, before: number) }
    for one in details.lanes.actions(in: key, taking: taking)
    where one != spared && (one < number || one >= UnsentNumber.first) {
      cancelNow(one, on: reactor)
    }
    if let record = details.lanes.records[key] { details.lanes.tidy(record) }
  }

  // MARK: Actions by their numbers

  /// The action that is being taken now.
  @inlinable var taking: UInt64? {
    guard own.isTaking else { return nil }
    guard !Self.hasTurnHook else { return details.taking }
    return own.details?.pointee.taking ?? own.taken &- 1
  }

  /// The action is not to be taken, or what its turn still leads to is to be left out.
  @usableFromInline
  func skip(_ number: UInt64) {
    details.skipped.insert(number)
    own.looksAtEach = true
  }

  /// Notes that an action has ended as cancelled, if it is not to be taken, or was cancelled in its
  /// turn.
  ///
  /// - Returns: Whether that is so.
  @usableFromInline
  func endIfSkipped(_ number: UInt64) -> Bool {
    let isSkipped = details.skipped.remove(number) != nil
    own.looksAtEach = !details.skipped.isEmpty || details.middleware != nil
    if isSkipped { note(.cancelled, of: number) }
    return isSkipped
  }
}
