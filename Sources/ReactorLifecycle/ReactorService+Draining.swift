import Logging
import Reactor
import ReactorRuntime

extension ReactorService {
  func post(_ event: DrainMachine.Event) {
    let events = state.withLock { state in
      // After the end, an announcement has no effect on a later run.
      if state.machine.phase == .waiting { state.machine.announceBeforeStart() }
      return state.events
    }
    events?.yield(event)
  }

  /// Executes the steps of the machine, from the start to the end.
  func handle(_ events: AsyncStream<DrainMachine.Event>) async {
    var time: Task<Void, Never>?
    var draining: Task<Void, Never>?
    handling: for await event in events {
      for step in state.withLock({ $0.machine.steps(after: event) }) {
        switch step {
        case .startTimer: time = startTimer()
        case .startDraining: draining = PipelineTasks.inheriting { await self.drainParts() }
        case .cancelDraining:
          runTimeoutHandlers()
          draining?.cancel()
        case .end: break handling
        }
      }
    }
    time?.cancel()
    runTimeoutHandlers()
    let source = state.withLock { state in
      defer { state.events = nil }
      return state.events
    }
    source?.finish()
  }

  private func runTimeoutHandlers() {
    let bodies = state.withLock { state in
      state.hasTimedOut = true
      defer { state.timeoutHandlers = [] }
      return state.timeoutHandlers
    }
    for body in bodies { body() }
  }

  private func startTimer() -> Task<Void, Never> {
    logger.info("draining", metadata: ["deadline": "\(drain)"])
    return PipelineTasks.inheriting { [clock, drain] in
      if (try? await clock.sleep(for: drain)) != nil { self.post(.timedOut) }
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
    post(.drained)
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
