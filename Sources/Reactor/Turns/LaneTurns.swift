import ReactorMachines

/// Turns of actions that have waited in a lane, and have got a slot there.
extension PipelineCore {
  /// Whether an action has got a slot and waits for its turn.
  @inlinable var hasReady: Bool {
    Self.hasLanes && own.details?.pointee.lanes.hasReady == true
  }

  /// Starts the actions that have got a slot, one turn each, unless a turn is under way.
  @inlinable
  func startReady(on reactor: isolated R) {
    guard hasReady, taking == nil else { return }
    // Not in the task of an effect that was cancelled: it has nothing to do with those who waited.
    guard !Self.hasMutationHook, !Task.isCancelled, !SimulatedExecutor.isActive else {
      return requestTurns(of: reactor)
    }
    var rest = Self.turnsAtATime
    while let (number, parked) = nextReady(on: reactor) {
      start(parked, number: number, on: reactor)
      rest -= 1
      if rest == 0 { return requestTurns(of: reactor) }
    }
  }

  /// The next action that is to start, unless it has just been cancelled.
  @inlinable
  func nextReady(
    on reactor: isolated R
  ) -> (number: UInt64, parked: LaneBook<R.Action>.Parked)? {
    readMail(on: reactor)
    return own.details?.pointee.lanes.nextReady()
  }

  @inlinable
  func start(
    _ parked: LaneBook<R.Action>.Parked, number: UInt64, on reactor: isolated R
  ) {
    let turn = openTurn(parked, number: number, on: reactor)
    perform(turn, on: reactor)
    closeTurn(turn, on: reactor)
  }

  // MARK: Time

  /// - Returns: How much of the time is left after all.
  @usableFromInline
  func timeIsUp(_ record: LaneRecord, _ round: Int) async -> Duration? {
    guard let reactor else { return nil }
    return await timeIsUp(record, round, on: reactor)
  }

  private func timeIsUp(
    _ record: LaneRecord, _ round: Int, on reactor: isolated R
  ) -> Duration? {
    readMail(on: reactor)
    guard record.isCurrent(round) else { return nil }
    if let rest = record.rest(round, at: .now) { return rest }
    var held: (number: UInt64, admission: LaneMachine.Admission)?
    change(record, on: reactor) { machine, consequences in
      held = machine.timerFired(&consequences)
      if let held, held.admission == .start { consequences.starting.append(held.number) }
    }
    if let held, held.admission == .drop {
      giveUp(held.number, .droppedInLane(record.lane.key), on: reactor)
    }
    if let held, held.admission == .refuse {
      giveUp(held.number, .laneFull(record.lane.key), on: reactor)
    }
    startReady(on: reactor)
    tidy(on: reactor)
    return nil
  }
}
