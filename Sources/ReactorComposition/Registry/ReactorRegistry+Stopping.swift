public import Reactor
import ReactorRuntime

extension ReactorRegistry {
  /// Drains all reactors within a time limit, and returns what had to be abandoned.
  ///
  /// ```swift
  /// for late in await rooms.drain(within: .seconds(5)) { logger.warning("abandoned \(late)") }
  /// ```
  ///
  /// - Parameter limit: The time limit, by the registry's clock; what has not ended by then is
  ///   cancelled.
  /// - Returns: See ``stop(_:within:)``.
  @discardableResult
  nonisolated(nonsending) public func drain(
    within limit: Duration
  ) async -> [AbandonedWork] { await stop(.drain, within: limit) }

  /// Ends all reactors, and returns what was cut short.
  ///
  /// From the call on, the registry gives out no reactor: a task that waits for one receives
  /// ``RegistryError/stopped``. The function returns when all reactors have ended, or when the time
  /// limit is reached and what has not ended is cancelled. It does not wait for what it cancels
  /// then. Called again, it does the same with what is left. A reactor that is still being created
  /// is stopped in the same way after its creation.
  ///
  /// **Runs on** the caller's executor. **If the task is cancelled**, the time limit counts as
  /// reached.
  ///
  /// - Parameters:
  ///   - mode: What happens to effects, until the time limit.
  ///   - limit: The time limit, by the registry's clock; `nil` for none.
  /// - Returns: Reactors, and children of reactors, whose actions were cut short, and reactors that
  ///   were still being created, each with its key in the registry.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode = .cancel, within limit: Duration? = nil
  ) async -> [AbandonedWork] {
    let allEnded = Latch()
    let (entries, waiters) = table.withLock { $0.close(allEnded, mode) }
    for waiter in waiters { waiter.continuation.resume(throwing: RegistryError.stopped) }
    let stopped = entries.map { (lease: $0, receipt: $0.reactor.stop(mode)) }
    PipelineTasks.make { [self] in
      for (lease, receipt) in stopped {
        await receipt.settled
        reactorEnded(lease.entry)
      }
    }
    if let limit {
      await waiting(atMost: limit, by: clock.sleep) { await allEnded.wait() }
    } else {
      await allEnded.wait()
    }
    let (late, creating) = table.withLock { $0.timeLimitReached() }
    var abandoned: [AbandonedWork] = []
    for (lease, receipt) in stopped + late {
      if !receipt.isSettled { lease.reactor.stop() }
      abandoned += await receipt.abandoned.map {
        AbandonedWork($0.reactor, id: lease.entry.id, $0.actions)
      }
    }
    return abandoned + creating.map { AbandonedWork(nil, id: $0, []) }
  }
}

extension RegistryTable {
  /// Closes the registry: it gives out no reactor any more.
  ///
  /// - Parameters:
  ///   - allEnded: A latch to open when nothing is left.
  ///   - mode: How to stop reactors that are still being created.
  /// - Returns: The reactors to stop, and the tasks whose waiting has to fail.
  mutating func close(
    _ allEnded: Latch, _ mode: StopMode
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
    if entries.isEmpty { allEnded.open() } else { emptyLatches.append(allEnded) }
    return (leases, waiters)
  }

  /// Marks the time limit as reached: a reactor that is created from here on is cancelled at once.
  ///
  /// - Returns: The reactors created since the registry closed, and the keys of those still being
  ///   created.
  mutating func timeLimitReached() -> (late: [LateReactor], creating: [ID]) {
    closing = .cancel
    stops -= 1
    defer { late = [] }
    return (late, ordered.filter { $0.phase == .creating }.map(\.id))
  }
}
