import ReactorRuntime

extension Reactor {
  /// How many actions have been sent and not yet taken; with `transform(action:)`, those that
  /// wait for the hook count as well.
  ///
  /// **Runs on** the reactor, so that it is exact; in `mutate`, the action being taken does not
  /// count. Costs one look at a locked number.
  public var inboxDepth: Int {
    let core = pipeline.core
    let inHook = core.own.details?.pointee.hooks?.inputs.actions?.count ?? 0
    return inHook + core.inbox.count + core.own.batch.count
  }

  /// How many actions are in a lane.
  ///
  /// **Runs on** the reactor: in `lane(for:)` and `mutate(action:)`, say, or by `await` from
  /// anywhere. Costs one look into a dictionary.
  ///
  /// - Parameter key: Which lane.
  /// - Returns: Its depth; zero for one in which nothing happens.
  public func depth(ofLane key: some Hashable & Sendable) -> LaneDepth {
    guard let details = pipeline.core.own.details else { return .zero }
    let key = LaneKey(key)
    if details.pointee.lanes.entering?.key == key { return .alone }
    return details.pointee.lanes.record(of: key)?.depth ?? .zero
  }

  /// The lanes in which something runs or waits, with how many.
  ///
  /// **Runs on** the reactor.
  public var laneDepths: [LaneKey: LaneDepth] {
    pipeline.core.own.details?.pointee.lanes.depths ?? [:]
  }
}
