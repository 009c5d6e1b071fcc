import ReactorMachines
public import Synchronization

/// What other threads leave for the reactor to look at before it goes on: actions and lanes that
/// were cancelled, observers that have come, marks, actions that were sent as one.
///
/// It is left in the parts that any thread may touch, and a flag says so. Here is the one place
/// that reads it.
extension PipelineCore {
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
    for (key, number) in left.cutLanes { cancelLaneAndCut(key, before: number, on: reactor) }
    if hasReady { requestTurns(of: reactor) }
    if !left.batches.isEmpty || own.details?.pointee.batches.isEmpty == false {
      holdStates(for: left.batches, on: reactor)
    }
    takeUpOutlet()
    if !left.marks.isEmpty || own.details?.pointee.marks.isEmpty == false {
      passMarks(left.marks, on: reactor)
    }
  }

  // MARK: Left by other threads

  /// Cancels an action's own work, from any thread.
  ///
  /// Effects that run are cancelled here and now. For all else the reactor looks before it reduces
  /// anything more.
  @usableFromInline
  func cancel(_ number: UInt64) {
    guard let reactor else { return }
    // Left first: an effect that ends at once frees its slot, and the next in the lane may be an
    // action that is cancelled with it.
    shared.withLock { $0.rare.cancelled.append(number) }
    hasMail.store(true, ordering: .sequentiallyConsistent)
    for one in [number] + ledger.twins(of: number) {
      for run in ledger.works(of: one) { run.cancel() }
    }
    if inbox.requestJob() { wake(reactor) }
  }

  /// Cancels a lane for somebody who is anywhere: what was sent before is meant, taken or not.
  func cancelLane(_ key: LaneKey) {
    guard Self.hasLanes, let reactor else { return }
    let cut = (key, inbox.nextNumber)
    shared.withLock { $0.rare.cutLanes.append(cut) }
    hasMail.store(true, ordering: .sequentiallyConsistent)
    if inbox.requestJob() { wake(reactor) }
  }

  // MARK: Read by the reactor

  /// Cancels an action's own work, whatever has become of the action.
  func cancelNow(_ number: UInt64, on reactor: isolated R) {
    for twin in ledger.twins(of: number) { cancelNow(twin, on: reactor) }
    if Self.hasLanes { giveUp(number, nil, on: reactor) }
    for run in ledger.works(of: number) { run.cancel() }
    // The effect that is being started has no task yet that could be cancelled, but is what runs.
    if let starting, starting.number == number { withUnsafeCurrentTask { $0?.cancel() } }
    // Once a hook has an action, what comes out can no longer be told apart: it is past recalling.
    details.hooks?.inputs.actions?.withdraw(number) { note(.cancelled, of: number) }
    let isToCome = number >= own.taken && number < UnsentNumber.first
    if isToCome || number == taking { skip(number) }
  }

  /// Cancels a lane, and what has been sent but not taken will not start.
  func cancelLaneAndCut(_ key: LaneKey, before number: UInt64, on reactor: isolated R) {
    let isInHook = details.hooks?.inputs.actions?.isEmpty == false
    if number > own.taken || isInHook { details.lanes.cut(key, before: number) }
    cancelLane(key, before: number, on: reactor)
  }

  /// Cancels what runs in a lane and what waits there.
  func cancelLane(
    _ key: LaneKey, before number: UInt64, sparing spared: UInt64? = nil, on reactor: isolated R
  ) {
    let isMeant = { (one: UInt64) in
      one != spared && (one < number || one >= UnsentNumber.first)
    }
    if let taking = taking, details.lanes.entering?.key == key, isMeant(taking) {
      cancelNow(taking, on: reactor)
    }
    guard let record = details.lanes.records[key] else { return }
    for one in record.machine.waiting + record.machine.active where isMeant(one) {
      cancelNow(one, on: reactor)
    }
    details.lanes.tidy(record)
  }
}
