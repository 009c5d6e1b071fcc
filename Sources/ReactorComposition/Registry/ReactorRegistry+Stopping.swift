public import Reactor
import ReactorRuntime

extension ReactorRegistry {
  /// Ends all reactors within a time, and tells what had to be abandoned for that.
  ///
  /// ```swift
  /// for late in await rooms.drain(within: .seconds(5)) { logger.warning("abandoned \(late)") }
  /// ```
  ///
  /// - Parameter limit: How long what runs may still run, by the registry's clock; what has not
  ///   ended by then is cancelled.
  /// - Returns: See ``stop(_:within:)``.
  @discardableResult
  nonisolated(nonsending) public func drain(
    within limit: Duration
  ) async -> [AbandonedWork] { await stop(.drain, within: limit) }

  /// Ends all reactors, and tells what was cut short.
  ///
  /// From here on no reactor is given out: what waits for one gets ``RegistryError/stopped``.
  /// It returns when all have ended, or when the time is up and what has not ended is cancelled; it
  /// does not wait for what it has cancelled then. Called again, it does the same with what is
  /// left. What is still being made is stopped in the same way once it has been.
  ///
  /// **Runs on** the caller's executor. **If the task is cancelled**, the time is up.
  ///
  /// - Parameters:
  ///   - mode: What becomes of effects, until the time is up.
  ///   - limit: How long that may take, by the registry's clock; `nil` for as long as it takes.
  /// - Returns: Reactors and children of reactors whose actions were cut short, and reactors that
  ///   were still being made, each with the key that the registry has for it.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode = .cancel, within limit: Duration? = nil
  ) async -> [AbandonedWork] {
    let gone = Latch()
    let (entries, waiters) = table.withLock { $0.close(gone, mode) }
    for waiter in waiters { waiter.continuation.resume(throwing: RegistryError.stopped) }
    let stopped = entries.map { (lease: $0, receipt: $0.reactor.stop(mode)) }
    PipelineTasks.make { [self] in
      for (lease, receipt) in stopped {
        await receipt.settled
        hasEnded(lease.entry)
      }
    }
    if let limit {
      await waiting(atMost: limit, by: clock.sleep) { await gone.wait() }
    } else {
      await gone.wait()
    }
    let (late, making) = table.withLock { $0.timeIsUp() }
    var abandoned: [AbandonedWork] = []
    for (lease, receipt) in stopped + late {
      if !receipt.isSettled { lease.reactor.stop() }
      abandoned += await receipt.abandoned.map {
        AbandonedWork($0.reactor, id: lease.entry.id, $0.actions)
      }
    }
    return abandoned + making.map { AbandonedWork(nil, id: $0, []) }
  }
}

extension RegistryTable {
  /// Gives out no reactor any more.
  ///
  /// - Parameters:
  ///   - gone: Opened when nothing is left.
  ///   - mode: How what is being made is to be stopped then.
  /// - Returns: What is to be stopped, and what waits in vain.
  mutating func close(
    _ gone: Latch, _ mode: StopMode
  ) -> ([RegistryLease<ID, R>], [RegistryWaiter<ID, R>]) {
    isClosed = true
    stops += 1
    if mode == .cancel { closing = .cancel }
    var (leases, waiters): ([RegistryLease<ID, R>], [RegistryWaiter<ID, R>]) = ([], [])
    for entry in ordered {
      waiters += takeWaiters(of: entry)
      guard let reactor = entry.reactor else { continue }
      if entry.phase == .live { unlink(entry) }
      entry.phase = .ending
      leases.append(RegistryLease(entry, reactor))
    }
    if entries.isEmpty { gone.open() } else { emptyLatches.append(gone) }
    return (leases, waiters)
  }

  /// What is made from here on ends at once.
  ///
  /// - Returns: What has been made since it was closed, and the keys of what still is made.
  mutating func timeIsUp() -> (late: [LateReactor], making: [ID]) {
    closing = .cancel
    stops -= 1
    defer { late = [] }
    return (late, ordered.filter { $0.phase == .making }.map(\.id))
  }
}
