public import ReactorMachines
public import Synchronization

/// The lanes: who starts now, who waits, who goes.
extension PipelineCore {
  /// Known when the reactor's type is: a reactor without `lane(for:)` has no code for it.
  @inlinable
  static var hasLanes: Bool { R.LaneResult.self != _NoLane.self }

  // MARK: Starting

  /// Decides what becomes of an action, before anything of it is begun.
  ///
  /// - Returns: Whether to go on now.
  @inlinable
  func enterLane(_ action: R.Action, number: UInt64, on reactor: isolated R) -> Bool {
    guard Self.hasLanes, let lane = reactor.lane(for: action)._lane else { return true }
    guard !details.lanes.isCut(lane.key, number) else {
      note(.cancelled, of: number)
      forgetContext(of: number)
      return false
    }
    if let record = details.lanes.record(of: lane.key) {
      return enter(record, by: lane, action, number: number, on: reactor)
    }
    guard lane.timing == nil else {
      let record = details.lanes.open(lane)
      return enter(record, by: lane, action, number: number, on: reactor)
    }
    // Nobody is there; books are kept only if the action leaves work behind.
    details.lanes.enter(lane)
    return true
  }

  @inlinable
  func enter(
    _ record: LaneRecord, by lane: Lane, _ action: R.Action, number: UInt64,
    on reactor: isolated R
  ) -> Bool {
    var consequences = LaneMachine.Consequences()
    let admission = record.arrive(number, lane, &consequences)
    switch admission {
    case .start: details.lanes.slot = LaneSlot(record, number)
    case .wait:
      let context = own.hasContextOrStage ? context(of: number) : nil
      details.lanes.park(action, number, in: record, with: context)
      ledger.begin(number)
      tell(.waits(number: number, lane: lane.key))
      if AskWaits.areAny { lookForCircle(before: number) }
    case .drop: turnAway(action, number, .droppedInLane(lane.key), by: record)
    case .refuse: turnAway(action, number, .laneFull(lane.key), by: record)
    }
    if !consequences.isEmpty { apply(consequences, in: record, on: reactor) }
    return admission == .start
  }

  /// A newcomer will never start.
  @usableFromInline
  func turnAway(
    _ action: R.Action, _ number: UInt64, _ problem: ReactorReport.Problem, by record: LaneRecord
  ) {
    forgetContext(of: number)
    note(ActionOutcome(problem, in: record), of: number)
    report(problem, action, number)
  }

  /// Gives an effect of the action that is being taken its place in the lane.
  @inlinable
  func takePlace(_ run: Run) {
    if let lane = details.lanes.entering {
      details.lanes.isEntering = false
      let record = details.lanes.open(lane)
      var consequences = LaneMachine.Consequences()
      _ = record.arrive(run.number, lane, &consequences)
      details.lanes.slot = LaneSlot(record, run.number)
    }
    guard let slot = details.lanes.slot else { return }
    slot.pieces += 1
    run.place = slot
  }

  /// The turn of an action is over; if it left no work behind, so is its place in the lane.
  @inlinable
  func leaveLane(on reactor: isolated R) {
    guard Self.hasLanes else { return }
    guard let details = own.details else { return }
    details.pointee.lanes.isEntering = false
    if let slot = details.pointee.lanes.slot.take() { leave(slot, on: reactor) }
  }

  /// A piece of an action's work has ended; with the last one, its slot is free.
  @inlinable
  func leave(_ slot: LaneSlot, on reactor: isolated R) {
    slot.pieces -= 1
    guard slot.pieces == 0 else { return }
    change(slot.record, on: reactor) { $0.end(slot.number, &$1) }
  }

  @inlinable
  func change(
    _ record: LaneRecord, on reactor: isolated R,
    _ body: (inout LaneMachine, inout LaneMachine.Consequences) -> Void
  ) {
    var consequences = LaneMachine.Consequences()
    body(&record.machine, &consequences)
    if !consequences.isEmpty { apply(consequences, in: record, on: reactor) }
    details.lanes.tidy(record)
  }

  @inlinable
  func apply(
    _ consequences: LaneMachine.Consequences, in record: LaneRecord, on reactor: isolated R
  ) {
    let key = record.lane.key
    for number in consequences.evicted { evict(number, from: record, on: reactor) }
    for number in consequences.superseded { giveUp(number, .supersededInLane(key), on: reactor) }
    for number in consequences.starting { details.lanes.makeReady(number) }
    if consequences.startsTimer { startTimer(of: record) }
  }

  @usableFromInline
  func startTimer(of record: LaneRecord) {
    if record.moveTimer() { return }
    // Weakly the reactor rather than its core, of which nobody else has a weak reference: that
    // would be 48 bytes that stay.
    record.startTimer { [weak reactor = reactor, weak record] round in
      guard let record else { return nil }
      return await reactor?.pipeline.core.timeIsUp(record, round)
    }
  }

  @inlinable
  func evict(_ number: UInt64, from record: LaneRecord, on reactor: isolated R) {
    let key = record.lane.key
    // It has a slot, but has yet to start.
    if !details.lanes.parked.isEmpty, details.lanes.parked[number] != nil {
      return giveUp(number, .supersededInLane(key), on: reactor)
    }
    let end = ActionOutcome.evicted(record.lane.key)
    // Its turn may be under way: it waits for a hook to pass its mutations on.
    let isInTurn = number == taking && !isSkipped(number)
    var action = isInTurn ? details.hooks?.turns.action : nil
    let runs = ledger.works(of: number, endingBy: end) { runs in
      if let live = runs.first(where: { !$0.isCancelled }) { action = live.action }
      return action != nil
    }
    if action != nil { tellNoted(end, of: number) }
    if isInTurn { skip(number) }
    let endsAnywhere = action != nil && !isInTurn && !record.machine.isUnwinding(number)
    for run in runs {
      if endsAnywhere { run.ends.store(.anywhere, ordering: .releasing) }
      run.cancel()
    }
    if let action { report(.evictedFromLane(key), action, number) }
  }

  /// An action that waits will never start.
  @inlinable
  func giveUp(
    _ number: UInt64, _ problem: ReactorReport.Problem?, on reactor: isolated R
  ) {
    guard let parked = details.lanes.withdraw(number) else { return }
    note(ActionOutcome(problem, in: parked.record), of: number)
    if let problem { report(problem, parked.action, number) }
    if parked.hasSlot { change(parked.record, on: reactor) { $0.end(number, &$1) } }
    details.lanes.tidy(parked.record)
    endWork(of: number)
  }

  /// Everybody who waits goes, and is reported; time stands still.
  @usableFromInline
  func abandonLanes() {
    for (number, action) in own.details?.pointee.lanes.abandon() ?? [] {
      note(.neverBegun, of: number)
      report(.actionDropped, action, number)
      endWork(of: number)
    }
  }
}
