public import ReactorMachines
import ReactorRuntime

/// All lanes of one reactor that are in use, and the actions that wait in them.
///
/// Only the reactor's isolation accesses it.
@usableFromInline
struct LaneTable<Action: Sendable>: ~Copyable {
  /// An action that has been taken, and has not started yet.
  @usableFromInline
  struct Parked {
    @usableFromInline let action: Action
    @usableFromInline let record: LaneRecord
    /// Since when it waits.
    @usableFromInline let since = WorkTime.ticks
    /// Its context.
    @usableFromInline let context: ActionContext?

    @inlinable
    init(action: Action, record: LaneRecord, context: ActionContext?) {
      self.action = action
      self.record = record
      self.context = context
    }
  }

  /// The lanes in which an action runs or waits, or whose timer runs.
  @usableFromInline var records: [LaneKey: LaneRecord] = [:]
  /// By action number.
  @usableFromInline var parked: [UInt64: Parked] = [:]
  /// The actions of `parked` that have a slot, in order.
  ///
  /// They start as soon as a turn begins.
  @usableFromInline var ready = NumberQueue()
  /// For each lane that was cancelled from outside: actions with a lower number than this never
  /// start.
  @usableFromInline var cancellations: [LaneKey: UInt64] = [:]
  @usableFromInline var lastCancellation: UInt64 = 0

  /// The lane of the action that is being taken, while that lane has no record.
  @usableFromInline var entering: Lane? {
    @inlinable get { isEntering ? entered : nil }
  }

  /// The lane that was entered last.
  ///
  /// It is not cleared afterwards, since clearing it takes as long as setting it.
  @usableFromInline var entered: Lane?
  @usableFromInline var isEntering = false
  /// The slot of the action that is being taken.
  @usableFromInline var slot: LaneSlot?

  @inlinable
  init() {}

  /// Whether other actions may have to wait for the action that is being taken.
  @inlinable var mayBlock: Bool {
    if isEntering { return entered?.blocksWhenFull == true }
    return slot?.record.lane.blocksWhenFull == true
  }

  /// The key of the lane of the action that is being taken, if it has one.
  @usableFromInline var keyOfTurn: LaneKey? { entering?.key ?? slot?.record.lane.key }

  /// Whether no lane is in use.
  @usableFromInline var isEmpty: Bool {
    records.isEmpty && parked.isEmpty && cancellations.isEmpty && slot == nil && !isEntering
  }

  /// Whether an action has got a slot and waits for its turn.
  @usableFromInline var hasReady: Bool { !ready.isEmpty }

  /// The record of a lane in use.
  @inlinable
  func record(of key: LaneKey) -> LaneRecord? {
    // Usually no lane is in use, and then the key need not be hashed.
    records.isEmpty ? nil : records[key]
  }

  /// Creates the record of a lane.
  @inlinable
  mutating func open(_ lane: Lane) -> LaneRecord {
    let record = LaneRecord(lane)
    records[lane.key] = record
    return record
  }

  /// Returns the slot for an effect of the action that is being taken, if that action has a lane.
  @inlinable
  mutating func takeSlot(for number: UInt64) -> LaneSlot? {
    if let lane = entering {
      isEntering = false
      let record = open(lane)
      var consequences = LaneMachine.Consequences()
      _ = record.arrive(number, lane, &consequences)
      slot = LaneSlot(record, number)
    }
    slot?.pieces += 1
    return slot
  }

  /// How many actions are in each lane.
  var depths: [LaneKey: LaneDepth] {
    var depths = records.mapValues(\.depth)
    if let entering { depths[entering.key] = .alone }
    return depths
  }

  /// The actions that an action waits for in its lane: all that run there, if one of them has to
  /// end.
  func holders(before number: UInt64) -> [UInt64] {
    guard let parked = parked[number], !ready.contains(number) else { return [] }
    let machine = parked.record.machine
    let active = machine.active
    // If some are evicted, or there is a free slot, the action waits for a timer, or for work that
    // is about to end.
    let isFull = active.count >= machine.rules.limit && machine.occupied == active.count
    return isFull ? active : []
  }

  /// The actions in a lane: the one that is being taken, those that wait, and those that have a
  /// slot.
  func actions(in key: LaneKey, taking: UInt64?) -> [UInt64] {
    let entering = entering?.key == key ? [taking].compactMap(\.self) : []
    guard let machine = records[key]?.machine else { return entering }
    return entering + machine.waiting + machine.active
  }

  /// Removes the next action that has to start.
  @inlinable
  mutating func nextReady() -> (number: UInt64, parked: Parked)? {
    while let number = ready.popFirst() {
      if let parked = parked.removeValue(forKey: number) { return (number, parked) }
    }
    return nil
  }

  // MARK: Cancelled from outside

  /// Cancels the actions of the lane that were sent before `number` and have not been taken: they
  /// never start.
  mutating func cancelPending(in key: LaneKey, before number: UInt64) {
    // The cancellations of two threads may arrive in another order than their numbers.
    cancellations[key] = max(cancellations[key] ?? 0, number)
    lastCancellation = max(lastCancellation, number)
  }

  /// Whether the lane was cancelled after the action had been sent.
  @usableFromInline
  mutating func isCancelled(_ key: LaneKey, _ number: UInt64) -> Bool {
    guard number < HookActionNumber.first else { return false }
    removeCancellations(before: number)
    return cancellations[key].map { number < $0 } ?? false
  }

  /// Every action with a lower number has been taken.
  @usableFromInline
  mutating func removeCancellations(before number: UInt64) {
    if number >= lastCancellation { cancellations = [:] }
  }

  // MARK: Ending

  /// Removes the record of a lane that is no longer in use.
  @inlinable
  mutating func removeUnused(_ record: LaneRecord) {
    let key = record.lane.key
    guard record.machine.isIdle, records[key] === record else { return }
    record.stopTimer()
    records[key] = nil
  }

  /// Removes everything.
  ///
  /// - Returns: The actions that never started, in the order in which they were sent.
  @usableFromInline
  mutating func abandon() -> [(number: UInt64, action: Action)] {
    for record in records.values {
      record.stopTimer()
      record.machine.withdrawAll()
    }
    defer { self = LaneTable() }
    return parked.sorted { $0.key < $1.key }.map { ($0.key, $0.value.action) }
  }
}
