import ReactorRuntime

extension Reactor {
  /// The actions whose work has not ended, running or waiting in a lane, in the order they were
  /// sent.
  ///
  /// An action that was cancelled is included until it has really ended. Actions that have been
  /// sent and not yet taken, and those that a hook holds, are not; see ``inboxDepth``.
  ///
  /// **Runs on** the reactor. Works on `any Reactor`, too.
  public var openActions: [OpenAction] { pipeline.core.openActions() }

  /// Whether there is nothing to do: no action waits to be taken, no turn is in progress, and no
  /// work is open.
  ///
  /// **Runs on** the reactor; in `mutate`, for example, it is false. Works on `any Reactor`, too.
  public var isIdle: Bool {
    let core = pipeline.core
    return !core.turnState.isTaking && inboxDepth == 0
      && core.turnState.details?.pointee.hooks?.inputs.actions?.isEmpty != false
      && core.concurrentStateIfMade?.pointee.ledger.isEmpty != false
  }
}

/// One reading of the clock, for all actions of a list.
struct WorkTimes {
  private let now = WorkTime.ticks
  private let isSimulated = SimulatedExecutor.isActive

  /// - Parameters:
  ///   - running: The effects.
  ///   - waiting: The actions that wait in lanes.
  ///   - isExcluding: Whether cancelled ones are left out.
  /// - Returns: The actions, in the order they were sent.
  func list<Owner: EffectOwner>(
    running: [EffectRun<Owner>], waiting: [UInt64: LaneTable<Owner.Action>.Parked],
    excludingCancelled isExcluding: Bool
  ) -> [OpenAction] where Owner.Slot == LaneSlot {
    var open: [UInt64: OpenAction] = [:]
    for run in running where !run.hasEnded && (!isExcluding || !run.isCancelled) {
      guard open[run.number] == nil else { continue }
      let lane = run.slot?.record.lane.key
      open[run.number] = action(run.action, run.number, .running(lane: lane), since: run.since)
    }
    for (number, parked) in waiting {
      let lane = parked.record.lane.key
      open[number] = action(parked.action, number, .waiting(lane: lane), since: parked.since)
    }
    return open.sorted { $0.key < $1.key }.map(\.value)
  }

  private func action(
    _ action: any Sendable, _ number: UInt64, _ status: OpenAction.Status,
    since: Int64
  ) -> OpenAction {
    OpenAction(
      action: action, number: ActionNumber(rawValue: number), status: status,
      since: isSimulated ? nil : WorkTime.instant(ofTicks: since), age: .nanoseconds(now - since))
  }
}
