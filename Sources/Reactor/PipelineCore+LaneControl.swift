import ReactorMachines

/// What the reactor itself may do with its lanes: give them new rules, cancel them.
extension PipelineCore {
  /// Gives a lane that is in use new rules.
  func adopt(_ lane: Lane, on reactor: isolated R) {
    guard let record = details.lanes.records[lane.key] else { return }
    record.lane = lane
    change(record, on: reactor) { $0.adopt(lane.rules, &$1) }
    // The caller may be in the middle of something; whoever has a slot now starts after it.
    requestTurns(of: reactor)
  }

  /// Cancels a lane for somebody who is on the reactor.
  func cancelLane(_ key: LaneKey, on reactor: isolated R) {
    guard Self.hasLanes else { return }
    readMail(on: reactor)
    if let taking = taking, isInsideTurn {
      // What came before the action that is being taken: those behind it are not meant.
      cancelLane(key, before: min(taking, own.taken), sparing: taking, on: reactor)
      let current = details.lanes.entering ?? details.lanes.slot?.record.lane
      if isInsideEffect, current?.key == key { cancelNow(taking, on: reactor) }
    } else {
      cancelLaneAndCut(key, before: inbox.nextNumber, on: reactor)
    }
    requestTurns(of: reactor)
  }

  /// Whether what runs on the reactor now is part of the turn under way.
  ///
  /// That is `mutate`, or an effect before it first suspends. Where turns take a while, it may be
  /// something else.
  private var isInsideTurn: Bool {
    !Self.hasMutationHook || details.isInsideMutate || isInsideEffect
  }

  /// Whether an effect on the reactor runs that has yet to suspend for the first time.
  private var isInsideEffect: Bool { starting != nil }
}
