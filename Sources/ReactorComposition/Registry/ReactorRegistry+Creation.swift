public import Reactor
import ReactorRuntime

extension ReactorRegistry {
  /// Waits until the reactor exists.
  @usableFromInline
  nonisolated(nonsending) func leaseOnceLive(_ id: ID) async throws -> Lease {
    let creator = ReactorCreation.current
    let number = table.withLock { table in
      table.lastWaiter += 1
      return table.lastWaiter
    }
    let entry = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = RegistryWaiter<ID, R>(
          number: number, creator: creator, continuation: continuation)
        switch table.withLock({ $0.requestLease(id, waiter, isCancelled: Task.isCancelled) }) {
        case .lease(let lease): continuation.resume(returning: lease.entry)
        case .failure(let error): continuation.resume(throwing: error)
        case .wait: break
        case .create(let entry): begin(entry)
        case .waitForEnd(let entry): awaitEnd(of: entry)
        }
      }
    } onCancel: {
      let waiter = table.withLock { $0.removeWaiter(id, number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    // Read here under the lock, since the reactor may have been stopped explicitly meanwhile.
    guard let reactor = table.withLock({ _ in entry.reactor }) else { return try await lease(id) }
    return Lease(entry, reactor)
  }

  /// The same within a time limit.
  @usableFromInline
  nonisolated(nonsending) func lease(_ id: ID, within limit: AskLimit) async throws -> Lease {
    // In the usual case the reactor exists, and no time has to be measured.
    if let lease = leaseIfOpen(id) { return lease }
    return try await withThrowingTaskGroup(of: Lease?.self) { group in
      group.addTask { try await self.lease(id) }
      group.addTask {
        try await limit.sleep()
        return nil
      }
      var failure: any Error = AskError(nil, nil, .timedOut(limit.limit))
      do {
        if let lease = try await group.next() ?? nil {
          group.cancelAll()
          return lease
        }
      } catch {
        failure = error
      }
      group.cancelAll()
      // The lease may have arrived at the same moment.
      while let late = await group.nextResult() {
        if case .success(let lease?) = late { endLease(lease.entry) }
      }
      throw failure
    }
  }

  /// Creates a reactor for the tasks that wait, without the task-local values of any of them.
  func begin(_ entry: Entry) {
    let creation = table.withLock { _ in entry.creation }
    PipelineTasks.make { [self] in
      do {
        let reactor = try await ReactorCreation.$current.withValue(creation) {
          try await make(entry.id)
        }
        didCreate(entry, reactor)
      } catch {
        creationFailed(entry, error)
      }
    }
  }

  private func didCreate(_ entry: Entry, _ reactor: R) {
    let now = clock.now()
    let (waiters, closing, sweeps) = table.withLock {
      table -> ([RegistryWaiter<ID, R>], StopMode?, Bool) in
      let waiters = table.takeWaiters(of: entry)
      guard !table.isClosed else { return (waiters, table.closing, false) }
      entry.reactor = reactor
      entry.phase = .live
      entry.leases = waiters.count
      let isIdle = waiters.isEmpty && idle != nil
      return (waiters, nil, isIdle ? table.append(entry, at: now) : false)
    }
    if let closing {
      for waiter in waiters { waiter.continuation.resume(throwing: RegistryError.stopped) }
      stopImmediately(entry, reactor, closing)
    } else {
      for waiter in waiters { waiter.continuation.resume(returning: entry) }
    }
    if sweeps { sweep() }
  }

  /// Stops a reactor that was created after the registry closed; actions that its factory sent may
  /// be running.
  private func stopImmediately(_ entry: Entry, _ reactor: R, _ mode: StopMode) {
    let receipt = reactor.stop(mode)
    let isTimeUp = table.withLock { table in
      entry.reactor = reactor
      entry.phase = .ending
      if table.stops > 0 { table.late.append((RegistryLease(entry, reactor), receipt)) }
      return table.closing == .cancel
    }
    if isTimeUp, mode == .drain { reactor.stop() }
    awaitEnd(of: entry)
  }

  private func creationFailed(_ entry: Entry, _ error: any Error) {
    let (waiters, latches) = table.withLock { table in
      (table.takeWaiters(of: entry), table.remove(entry))
    }
    for waiter in waiters { waiter.continuation.resume(throwing: error) }
    for latch in latches { latch.open() }
  }
}

extension RegistryTable {
  /// What a task that requests a reactor has to do.
  enum LeaseStep: Sendable {
    case lease(RegistryLease<ID, R>)
    case failure(any Error)
    /// It waits, and another task does the rest.
    case wait
    /// It waits, and has to start the creation.
    case create(Entry)
    /// It waits, and has to watch for the end of the previous reactor.
    case waitForEnd(Entry)
  }

  mutating func requestLease(
    _ id: ID, _ waiter: RegistryWaiter<ID, R>, isCancelled: Bool
  ) -> LeaseStep {
    if isClosed { return .failure(RegistryError.stopped) }
    if let lease = lease(id) { return .lease(lease) }
    if isCancelled { return .failure(CancellationError()) }
    guard let entry = entries[id] else {
      let entry = makeEntry(for: id)
      return wait(waiter, for: entry) ?? .create(entry)
    }
    let isFirst = entry.waiters.isEmpty
    return wait(waiter, for: entry)
      ?? (entry.phase == .ending && isFirst ? .waitForEnd(entry) : .wait)
  }

  /// - Returns: The reason why it must not wait.
  private func wait(_ waiter: RegistryWaiter<ID, R>, for entry: Entry) -> LeaseStep? {
    let creation = entry.creation ?? ReactorCreation(of: entry.id)
    entry.creation = creation
    var waiter = waiter
    if let creator = waiter.creator {
      let wait = CreationWait(creator, for: creation)
      if let cycle = wait.begin() { return .failure(RegistryError.cycle(cycle)) }
      waiter.wait = wait
    }
    entry.waiters[waiter.number] = waiter
    return nil
  }

  func takeWaiters(of entry: Entry) -> [RegistryWaiter<ID, R>] {
    defer { (entry.waiters, entry.creation) = ([:], nil) }
    let waiters = entry.waiters.values.sorted { $0.number < $1.number }
    for waiter in waiters { waiter.wait?.end() }
    return waiters
  }

  /// Removes a task that no longer waits.
  func removeWaiter(_ id: ID, _ number: UInt64) -> RegistryWaiter<ID, R>? {
    let waiter = entries[id]?.waiters.removeValue(forKey: number)
    waiter?.wait?.end()
    return waiter
  }
}
