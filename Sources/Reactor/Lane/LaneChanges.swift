public import ReactorMachines

/// The consequences of a change in a lane, which the engine carries out.
@usableFromInline
struct LaneChanges<Action: Sendable> {
  @usableFromInline typealias Discarded = (
    number: UInt64, parked: LaneTable<Action>.Parked, problem: ReactorReport.Problem?
  )

  /// The lane.
  @usableFromInline var record: LaneRecord?
  /// The actions that run and have to be cancelled, because of a newer one.
  @usableFromInline var evicted: [UInt64] = []
  /// The actions that waited and will never start.
  @usableFromInline var discarded: [Discarded] = []
  /// Whether the lane's timer has to be restarted.
  @usableFromInline var startsTimer = false

  @inlinable
  init() {}
}

/// What happens to an action that enters a lane.
@usableFromInline
enum LaneEntry: Sendable {
  case begins
  case waits
  /// It will never start: the lane was cancelled after the action had been sent.
  case cancelled
  /// It will never start: the lane is taken, or full.
  case rejected(ReactorReport.Problem)
}

extension LaneTable {
  /// An action enters a lane, before any part of it begins.
  @inlinable
  mutating func arrive(
    _ action: Action, _ number: UInt64, in lane: Lane, with context: ActionContext?,
    _ changes: inout LaneChanges<Action>
  ) -> LaneEntry {
    if !cancellations.isEmpty, isCancelled(lane.key, number) { return .cancelled }
    let known = record(of: lane.key)
    if known == nil, lane.timing == nil {
      // The lane is empty; a record is made only if the action leaves work behind.
      entered = lane
      isEntering = true
      return .begins
    }
    let record = known ?? open(lane)
    var consequences = LaneMachine.Consequences()
    let admission = record.arrive(number, lane, &consequences)
    if admission == .wait {
      parked[number] = Parked(action: action, record: record, context: context)
    }
    if !consequences.isEmpty { apply(consequences, in: record, &changes) }
    switch admission {
    case .start:
      slot = LaneSlot(record, number)
      return .begins
    case .wait: return .waits
    case .drop: return .rejected(.droppedInLane(lane.key))
    case .refuse: return .rejected(.laneFull(lane.key))
    }
  }

  /// The turn of an action is over.
  ///
  /// - Returns: Its slot, if it has one.
  @inlinable
  mutating func endTurn() -> LaneSlot? {
    isEntering = false
    return slot.take()
  }

  /// A piece of an action's work has ended; after the last one, its slot is free.
  @inlinable
  mutating func leave(_ slot: LaneSlot) -> LaneChanges<Action> {
    var changes = LaneChanges<Action>()
    slot.pieces -= 1
    if slot.pieces == 0 { change(slot.record, &changes) { $0.end(slot.number, &$1) } }
    return changes
  }

  /// An action has been cancelled: if it waits, it will never start.
  mutating func cancel(_ number: UInt64) -> LaneChanges<Action> {
    var changes = LaneChanges<Action>()
    discardWaiting(number, nil, &changes)
    return changes
  }

  /// Changes the rules of a lane in use.
  mutating func update(_ lane: Lane) -> LaneChanges<Action> {
    var changes = LaneChanges<Action>()
    guard let record = records[lane.key] else { return changes }
    record.lane = lane
    change(record, &changes) { $0.adopt(lane.rules, &$1) }
    return changes
  }

  /// A lane's timer has fired.
  mutating func timerFired(_ record: LaneRecord) -> LaneChanges<Action> {
    var changes = LaneChanges<Action>()
    var held: (number: UInt64, admission: LaneMachine.Admission)?
    change(record, &changes) { machine, consequences in
      held = machine.timerFired(&consequences)
      if let held, held.admission == .start { consequences.starting.append(held.number) }
    }
    switch held {
    case (let number, .drop)?: discardWaiting(number, .droppedInLane(record.lane.key), &changes)
    case (let number, .refuse)?: discardWaiting(number, .laneFull(record.lane.key), &changes)
    case (_, .start)?, (_, .wait)?, nil: break
    }
    return changes
  }

  @inlinable
  mutating func change(
    _ record: LaneRecord, _ changes: inout LaneChanges<Action>,
    _ body: (inout LaneMachine, inout LaneMachine.Consequences) -> Void
  ) {
    var consequences = LaneMachine.Consequences()
    body(&record.machine, &consequences)
    if !consequences.isEmpty { apply(consequences, in: record, &changes) }
    removeUnused(record)
  }

  @inlinable
  mutating func apply(
    _ consequences: LaneMachine.Consequences, in record: LaneRecord,
    _ changes: inout LaneChanges<Action>
  ) {
    changes.record = record
    let problem = ReactorReport.Problem.supersededInLane(record.lane.key)
    for number in consequences.evicted {
      if parked[number] == nil {
        changes.evicted.append(number)
      } else {
        // It has a slot, but has not started yet.
        discardWaiting(number, problem, &changes)
      }
    }
    for number in consequences.superseded { discardWaiting(number, problem, &changes) }
    for number in consequences.starting { ready.append(number) }
    if consequences.startsTimer { changes.startsTimer = true }
  }

  /// Removes a waiting action, which will never start.
  @inlinable
  mutating func discardWaiting(
    _ number: UInt64, _ problem: ReactorReport.Problem?, _ changes: inout LaneChanges<Action>
  ) {
    guard let parked = parked.removeValue(forKey: number) else { return }
    changes.discarded.append((number, parked, problem))
    if ready.remove(number) {
      change(parked.record, &changes) { $0.end(number, &$1) }
    } else {
      parked.record.machine.withdraw(number)
      removeUnused(parked.record)
    }
  }
}

extension ActionOutcome {
  /// The outcome of an action that never started, because of its lane.
  @usableFromInline
  init(_ problem: ReactorReport.Problem?, in lane: LaneKey) {
    switch problem {
    case .laneFull: self = .refused(.laneFull(lane))
    case .droppedInLane: self = .dropped(lane)
    case .supersededInLane: self = .superseded(lane)
    default: self = .cancelled
    }
  }
}
