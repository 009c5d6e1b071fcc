import ReactorMachines

extension Reactor {
  /// Cancels what runs in a lane, and what waits in it.
  ///
  /// ```swift
  /// case .stop:
  ///   cancel(lane: "search")
  ///   return .just(.setLoading(false))
  /// ```
  ///
  /// **Runs on** any thread, without `await`; once it has returned, nothing more of that work is
  /// reduced. As with a receipt's `cancel()`, what runs keeps its slot until it has really ended.
  ///
  /// **Order**: inside `mutate`, and in an effect until it first suspends, it reaches the actions
  /// taken before the one that is being taken. Anywhere else it reaches those sent before, taken or
  /// not: a cancel right after a `send` finds it. An effect that cancels its own lane cancels
  /// itself.
  ///
  /// - Parameters:
  ///   - key: Which lane, of this reactor.
  ///   - isolation: Where the caller runs; leave it out.
  public nonisolated func cancel(
    lane key: some Hashable & Sendable, isolation: (any Actor)? = #isolation
  ) {
    let (core, key) = (pipeline.core, LaneKey(key))
    guard Engine<Self>.hasLanes else { return }
    guard isolation === self else {
      guard core.reactor != nil else { return }
      // What was sent before is meant, taken or not.
      let cut = (key, core.inbox.nextNumber)
      core.post { $0.cutLanes.append(cut) }
      return core.requestJob()
    }
    assumeIsolated { reactor in reactor.pipeline.core.cancelLane(key, on: reactor) }
  }

  /// Gives a lane that is in use new rules, at once rather than with its next action.
  ///
  /// Where there is more room now, those who wait in line start after the turn; where there is
  /// less, nobody who runs is touched.
  ///
  /// **Runs on** the reactor: in `mutate`, say, for an action that changes a limit.
  ///
  /// - Parameter lane: The lane with its new rules.
  public func update(_ lane: Lane) {
    let core = pipeline.core
    core.carryOut(core.details.lanes.update(lane), on: self)
    // The caller may be in the middle of something; what has a slot now starts after it.
    if core.hasReady { core.requestJob() }
  }
}
