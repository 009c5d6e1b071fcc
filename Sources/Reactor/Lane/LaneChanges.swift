public import ReactorMachines

/// What comes of a change in a lane, for the engine to carry out.
@usableFromInline
struct LaneChanges<Action: Sendable> {
  @usableFromInline typealias Lost = (
    number: UInt64, parked: LaneBook<Action>.Parked, problem: ReactorReport.Problem?
  )

  /// Which lane.
  @usableFromInline var record: LaneRecord?
  /// The actions that run and are to be cancelled, for a newer one.
  @usableFromInline var evicted: [UInt64] = []
  /// The actions that waited and will never start.
  @usableFromInline var lost: [Lost] = []
  /// Whether the lane's time is to be measured anew.
  @usableFromInline var startsTimer = false

  @inlinable
  init() {}
}

/// What becomes of an action that enters a lane.
@usableFromInline
enum LaneEntry: Sendable {
  case begins
  case waits
  /// It will never start: the lane was cancelled after the action had been sent.
  case cancelled
  /// The same: the lane is taken, or full.
  case turnedAway(ReactorReport.Problem)
}

extension LaneBook {
  /// An action enters a lane, before anything of it is begun.
  @inlinable
  mutating func arrive(
    _ action: Action, _ number: UInt64, in lane: Lane, with context: ActionContext?,
    _ changes: inout LaneChanges<Action>
  ) -> LaneEntry {
    if isCut(lane.key, number) { return .cancelled }
    let known = record(of: lane.key)
    if known == nil, lane.timing == nil {
      // The lane is empty; books are kept only if the action leaves work behind.
      enter(lane)
      return .begins
    }
    return arrive(action, number, in: known ?? open(lane), by: lane, with: context, &changes)
  }

  @inlinable
  mutating func arrive(
    _ action: Action, _ number: UInt64, in record: LaneRecord, by lane: Lane,
    with context: ActionContext?, _ changes: inout LaneChanges<Action>
  ) -> LaneEntry {
    var consequences = LaneMachine.Consequences()
    let admission = record.arrive(number, lane, &consequences)
    if admission == .wait { park(action, number, in: record, with: context) }
    if !consequences.isEmpty { apply(consequences, in: record, &changes) }
    switch admission {
    case .start:
      slot = LaneSlot(record, number)
      return .begins
    case .wait: return .waits
    case .drop: return .turnedAway(.droppedInLane(lane.key))
    case .refuse: return .turnedAway(.laneFull(lane.key))
    }
  }

  /// Changes a lane that is in use.
  @inlinable
  mutating func change(
    _ record: LaneRecord, _ changes: inout LaneChanges<Action>,
    _ body: (inout LaneMachine, inout LaneMachine.Consequences) -> Void
  ) {
    var consequences = LaneMachine.Consequences()
    body(&record.machine, &consequences)
    if !consequences.isEmpty { apply(consequences, in: record, &changes) }
    tidy(record)
  }

  @inlinable
  mutating func apply(
    _ consequences: LaneMachine.Consequences, in record: LaneRecord,
    _ changes: inout LaneChanges<Action>
  ) {
    let key = record.lane.key
    changes.record = record
    for number in consequences.evicted {
      if parked[number] == nil {
        changes.evicted.append(number)
      } else {
        // It has a slot, but has yet to start.
        giveUp(number, .supersededInLane(key), &changes)
      }
    }
    for number in consequences.superseded { giveUp(number, .supersededInLane(key), &changes) }
    for number in consequences.starting { makeReady(number) }
    if consequences.startsTimer { changes.startsTimer = true }
  }

  /// An action that waits will never start.
  @inlinable
  mutating func giveUp(
    _ number: UInt64, _ problem: ReactorReport.Problem?, _ changes: inout LaneChanges<Action>
  ) {
    guard let parked = withdraw(number) else { return }
    changes.lost.append((number, parked, problem))
    if parked.hasSlot { change(parked.record, &changes) { $0.end(number, &$1) } }
    tidy(parked.record)
  }

  /// A lane's time is up.
  mutating func timerFired(_ record: LaneRecord, _ changes: inout LaneChanges<Action>) {
    var held: (number: UInt64, admission: LaneMachine.Admission)?
    change(record, &changes) { machine, consequences in
      held = machine.timerFired(&consequences)
      if let held, held.admission == .start { consequences.starting.append(held.number) }
    }
    guard let held else { return }
    switch held.admission {
    case .drop: giveUp(held.number, .droppedInLane(record.lane.key), &changes)
    case .refuse: giveUp(held.number, .laneFull(record.lane.key), &changes)
    case .start, .wait: break
    }
  }
}
