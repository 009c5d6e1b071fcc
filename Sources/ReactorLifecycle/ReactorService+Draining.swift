import Logging
import Reactor
import ReactorRuntime

extension ReactorService {
  func tell(_ event: DrainPlan.Event) {
    let events = state.withLock { state in
      // After the end, an announcement has no effect on a later run.
      if state.plan.phase == .waiting { state.plan.announceBeforeStart() }
      return state.events
    }
    events?.yield(event)
  }

  /// Executes the steps of the plan, from the start to the end.
  func follow(_ events: AsyncStream<DrainPlan.Event>) async {
    var time: Task<Void, Never>?
    var draining: Task<Void, Never>?
    following: for await event in events {
      for step in state.withLock({ $0.plan.steps(after: event) }) {
        switch step {
        case .startTime: time = startTime()
        case .startDraining: draining = PipelineTasks.inheriting { await self.drainParts() }
        case .cutShort:
          tellThatTimeIsUp()
          draining?.cancel()
        case .end: break following
        }
      }
    }
    time?.cancel()
    tellThatTimeIsUp()
    let source = state.withLock { state in
      defer { state.events = nil }
      return state.events
    }
    source?.finish()
  }

  private func tellThatTimeIsUp() {
    let bodies = state.withLock { state in
      state.isTimeUp = true
      defer { state.whenTimeIsUp = [] }
      return state.whenTimeIsUp
    }
    for body in bodies { body() }
  }

  private func startTime() -> Task<Void, Never> {
    logger.info("draining", metadata: ["deadline": "\(drain)"])
    return PipelineTasks.inheriting { [clock, drain] in
      if (try? await clock.sleep(for: drain)) != nil { self.tell(.timeIsUp) }
    }
  }

  /// Drains the parts one after another, from the last to the first, since a part may ask those
  /// before it.
  private func drainParts() async {
    var left = 0
    for part in parts.reversed() {
      let abandoned = await part.drain()
      state.withLock { $0.abandoned += abandoned }
      for late in abandoned {
        left += max(1, late.actions.count)
        logger.warning("abandoned \(late)", metadata: late.metadata)
      }
    }
    logger.info("drained", metadata: ["abandoned": "\(left)"])
    tell(.drained)
  }
}

extension AbandonedWork {
  fileprivate var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["actions": "\(actions.map(\.number))"]
    if let reactor { metadata["reactor"] = "\(reactor)" }
    if let key { metadata["key"] = "\(key)" }
    return metadata
  }
}
