extension Reactor {
  /// Ends the reactor: nothing more is accepted, and what has been accepted comes to its end.
  ///
  /// Returns when everything has ended. **If the task is cancelled**, what has not ended by then is
  /// cancelled, and it returns without waiting for that. To drain for a time at most, see
  /// ``stop(_:within:clock:)``.
  ///
  /// **Runs on** the caller's executor, and works on `any Reactor`, too.
  ///
  /// - Returns: What was cut short, in its children as well; nothing if all came to its end.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] {
    let stopped = stop(.drain)
    await stopped.settled
    if !stopped.isSettled { pipeline.core.hurry(stopped.life) }
    return await stopped.abandoned
  }
}
