import ReactorRuntime

extension Reactor {
  /// Ends the reactor within a time limit, and returns what it had to cut short.
  ///
  /// ```swift
  /// for late in await reactor.stop(.drain, within: .seconds(5)) { logger.warning("\(late)") }
  /// ```
  ///
  /// It calls ``stop(_:)``, and again when the time has passed, which cancels everything that has
  /// not ended by then. It returns when everything has ended, or when the time has passed. It does
  /// not wait for the work that it has cancelled: that is in ``openActions`` until it has really
  /// ended.
  ///
  /// **Runs on** the caller's executor. Works on `any Reactor`, too. A turn that blocks its thread
  /// when the time has passed, and so holds the reactor, delays this as well.
  ///
  /// **If the task is cancelled**, it acts as if the time had passed.
  ///
  /// - Parameters:
  ///   - mode: What happens to running effects until the time has passed.
  ///   - limit: The longest time that it may take.
  ///   - clock: The clock that measures it.
  /// - Returns: What was cut short, in its children as well; empty if everything was completed.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode, within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [AbandonedWork] {
    let stopped = stop(mode)
    await waiting(atMost: limit, by: { try await clock.sleep(for: $0) }) { await stopped.settled }
    // Cuts the drain short, as a second `stop()` does, but never affects a generation that has
    // begun since.
    if !stopped.isSettled { pipeline.core.expedite(stopped.generation) }
    return await stopped.abandoned
  }
}
