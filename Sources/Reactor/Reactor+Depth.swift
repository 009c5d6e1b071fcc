extension Reactor {
  /// How many actions have been sent and not yet taken; with `transform(action:)`, those that
  /// wait for the hook count as well.
  ///
  /// **Runs on** the reactor, so that it is exact; in `mutate`, the action being taken does not
  /// count. Costs one look at a locked number.
  public var inboxDepth: Int { pipeline.core.inboxDepth(on: self) }

  /// How many actions are in a lane.
  ///
  /// **Runs on** the reactor: in `lane(for:)` and `mutate(action:)`, say, or by `await` from
  /// anywhere. Costs one look into a dictionary.
  ///
  /// - Parameter key: Which lane.
  /// - Returns: Its depth; zero for one in which nothing happens.
  public func depth(ofLane key: some Hashable & Sendable) -> LaneDepth {
    pipeline.core.depth(of: LaneKey(key), on: self)
  }

  /// The lanes in which something runs or waits, with how many.
  ///
  /// **Runs on** the reactor.
  public var laneDepths: [LaneKey: LaneDepth] { pipeline.core.laneDepths(on: self) }
}

extension PipelineCore {
  func inboxDepth(on reactor: isolated R) -> Int {
    let inHook = own.details?.pointee.hooks?.inputs.actions?.count ?? 0
    return inHook + inbox.count + own.batch.count
  }

  func depth(of key: LaneKey, on reactor: isolated R) -> LaneDepth {
    guard let details = own.details else { return .zero }
    if details.pointee.lanes.entering?.key == key { return .alone }
    return details.pointee.lanes.record(of: key)?.depth ?? .zero
  }

  func laneDepths(on reactor: isolated R) -> [LaneKey: LaneDepth] {
    guard let details = own.details else { return [:] }
    var depths = details.pointee.lanes.records.mapValues(\.depth)
    if let entering = details.pointee.lanes.entering { depths[entering.key] = .alone }
    return depths
  }
}
