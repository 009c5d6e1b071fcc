extension Reactor {
  /// Ends the reactor gracefully: it accepts nothing more, completes what it has accepted, and then
  /// returns.
  ///
  /// To drain within a time limit, see ``stop(_:within:clock:)``.
  ///
  /// **Runs on** the caller's executor. Works on `any Reactor`, too.
  ///
  /// **If the task is cancelled**, everything that has not ended by then is cancelled, and this
  /// returns without waiting for it.
  ///
  /// - Returns: What was cut short, in its children as well; empty if everything was completed.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] {
    let stopped = stop(.drain)
    await stopped.settled
    if !stopped.isSettled { pipeline.core.expedite(stopped.generation) }
    return await stopped.abandoned
  }
}
