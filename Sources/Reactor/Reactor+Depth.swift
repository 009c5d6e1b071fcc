import ReactorRuntime

extension Reactor {
  /// The number of actions that have been sent and not yet taken.
  ///
  /// With `transform(action:)`, it includes those that wait for the hook.
  ///
  /// **Runs on** the reactor, so that it is exact. In `mutate`, the action being taken does not
  /// count. Costs one read under a lock.
  public var inboxDepth: Int {
    let core = pipeline.core
    let inHook = core.turnState.details?.pointee.hooks?.inputs.actions?.count ?? 0
    return inHook + core.inbox.count + core.turnState.batch.count
  }

  /// Returns the number of actions in a lane.
  ///
  /// **Runs on** the reactor: for example in `lane(for:)` and `mutate(action:)`, or with `await`
  /// from anywhere. Costs one look-up in a dictionary.
  ///
  /// - Parameter key: The lane's key.
  /// - Returns: Its depth; zero for a lane that is empty.
  public func depth(ofLane key: some Hashable & Sendable) -> LaneDepth {
    guard let details = pipeline.core.turnState.details else { return .zero }
    let key = LaneKey(key)
    if details.pointee.lanes.entering?.key == key { return .alone }
    return details.pointee.lanes.record(of: key)?.depth ?? .zero
  }

  /// The lanes in which work runs or waits, with their depths.
  ///
  /// **Runs on** the reactor.
  public var laneDepths: [LaneKey: LaneDepth] {
    pipeline.core.turnState.details?.pointee.lanes.depths ?? [:]
  }
}
