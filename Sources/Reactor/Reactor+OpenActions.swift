extension Reactor {
  /// The actions whose work goes on: those whose effects run, and those that wait in a lane; in the
  /// order in which they were sent.
  ///
  /// One that was cancelled is there until it has really ended. What has been sent and not yet
  /// taken, and what a hook holds, is not; see ``inboxDepth``.
  ///
  /// **Runs on** the reactor. Works on `any Reactor`, too.
  public var openActions: [OpenAction] { pipeline.core.openActions(on: self) }

  /// Whether nothing is to be done: nothing waits to be taken, no turn is under way, no work goes
  /// on.
  ///
  /// **Runs on** the reactor; in `mutate`, say, it is false. Works on `any Reactor`, too.
  public var isIdle: Bool { pipeline.core.isIdle(on: self) }
}

extension PipelineCore {
  func openActions(
    sparingCancelled isSparing: Bool = false, on reactor: isolated R
  ) -> [OpenAction] {
    let times = WorkTimes()
    var open: [UInt64: OpenAction] = [:]
    for run in partsIfMade?.pointee.ledger.works() ?? [] {
      guard !run.hasEnded, !isSparing || !run.isCancelled, open[run.number] == nil else { continue }
      let lane = run.place?.record.lane.key
      open[run.number] = times.action(
        run.action, run.number, .running(lane: lane), since: run.since)
    }
    for (number, parked) in own.details?.pointee.lanes.parked ?? [:] {
      let lane = parked.record.lane.key
      open[number] = times.action(
        parked.action, number, .waiting(lane: lane), since: parked.since)
    }
    return open.sorted { $0.key < $1.key }.map(\.value)
  }

  func isIdle(on reactor: isolated R) -> Bool {
    !own.isTaking && inboxDepth(on: reactor) == 0
      && own.details?.pointee.hooks?.inputs.actions?.isEmpty != false
      && partsIfMade?.pointee.ledger.isEmpty != false
  }
}

/// One look at the clock, for all actions of a list.
private struct WorkTimes {
  let now = WorkTime.ticks
  let isSimulated = SimulatedExecutor.isActive

  func action(
    _ action: any Sendable, _ number: UInt64, _ standing: OpenAction.Standing,
    since: Int64
  ) -> OpenAction {
    OpenAction(
      action: action, number: ActionNumber(rawValue: number), standing: standing,
      since: isSimulated ? nil : WorkTime.instant(ofTicks: since), age: .nanoseconds(now - since))
  }
}
