import ReactorRuntime

extension Reactor {
  /// Ends the reactor within a time, and tells what it had to abandon for that.
  ///
  /// ```swift
  /// for late in await reactor.stop(.drain, within: .seconds(5)) { logger.warning("\(late)") }
  /// ```
  ///
  /// It is ``stop(_:)``, and once more when the time is up, which cancels what has not ended by
  /// then. It returns when everything has ended, or when the time is up; it does not wait for what
  /// it has cancelled: that is in ``openActions`` until it has really ended.
  ///
  /// **Runs on** the caller's executor, and works on `any Reactor`, too. A turn that holds the
  /// reactor when the time is up, because it blocks its thread, holds this up as well.
  ///
  /// **If the task is cancelled**, the time is up.
  ///
  /// - Parameters:
  ///   - mode: What becomes of effects that run, until the time is up.
  ///   - limit: How long that may take.
  ///   - clock: What measures it.
  /// - Returns: What was cut short, in its children as well; nothing if all came to its end.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode, within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [AbandonedWork] {
    let stopped = stop(mode)
    await waiting(atMost: limit, by: { try await clock.sleep(for: $0) }) { await stopped.settled }
    // As `stop()` called again would end a drain, but never a life that has begun since.
    if !stopped.isSettled { pipeline.core.hurry(stopped.life) }
    return await stopped.abandoned
  }
}
