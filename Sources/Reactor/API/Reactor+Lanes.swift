import ReactorMachines

extension Reactor {
  /// Cancels the work that runs in a lane, and the actions that wait in it.
  ///
  /// ```swift
  /// case .stop:
  ///   cancel(lane: "search")
  ///   return .just(.setLoading(false))
  /// ```
  ///
  /// **Runs on** any thread, without `await`.
  ///
  /// **Order**: inside `mutate`, and in an effect until it first suspends, it affects the actions
  /// taken before the one that is being taken. Anywhere else it affects those sent before, taken or
  /// not: a cancel right after a `send` includes that action. An effect that cancels its own lane
  /// cancels itself.
  ///
  /// **Cancellation**: once it has returned, nothing more of that work is reduced. As with a
  /// receipt's `cancel()`, a running effect keeps its slot until it has really ended.
  ///
  /// - Parameters:
  ///   - key: The lane's key, in this reactor.
  ///   - isolation: The isolation of the caller; leave it out.
  public nonisolated func cancel(
    lane key: some Hashable & Sendable, isolation: (any Actor)? = #isolation
  ) {
    let (core, key) = (pipeline.core, LaneKey(key))
    guard Engine<Self>.hasLanes else { return }
    guard isolation === self else {
      guard core.reactor != nil else { return }
      // Includes everything sent before, taken or not.
      let cancellation = (key, core.inbox.nextNumber)
      core.post { $0.cancelledLanes.append(cancellation) }
      return core.requestJob()
    }
    assumeIsolated { reactor in reactor.pipeline.core.cancelLane(key, on: reactor) }
  }

  /// Changes the rules of a lane in use at once, instead of with its next action.
  ///
  /// **Runs on** the reactor: for example in `mutate`, for an action that changes a limit.
  ///
  /// **Order**: if the lane has more slots now, waiting actions start after the turn. If it has
  /// fewer, running actions are not affected.
  ///
  /// - Parameter lane: The lane with its new rules.
  public func update(_ lane: Lane) {
    let core = pipeline.core
    core.carryOut(core.details.lanes.update(lane), on: self)
    // The caller may be within a turn; an action that has a slot now starts after it.
    if core.hasReady { core.requestJob() }
  }
}
