public import Reactor
import ReactorRuntime

extension ReactorRegistry {
  /// Waits until the reactor exists.
  @usableFromInline
  nonisolated(nonsending) func leaseOnceLive(_ id: ID) async throws -> Lease {
    let maker = RegistryMaking.current
    let number = table.withLock { table in
      table.lastWaiter += 1
      return table.lastWaiter
    }
    let entry = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = RegistryWaiter<ID, R>(
          number: number, maker: maker, continuation: continuation)
        switch table.withLock({ $0.enter(id, waiter, isCancelled: Task.isCancelled) }) {
        case .lease(let lease): continuation.resume(returning: lease.entry)
        case .failure(let error): continuation.resume(throwing: error)
        case .wait: break
        case .make(let entry): begin(entry)
        case .end(let entry): watchEnd(of: entry)
        }
      }
    } onCancel: {
      let waiter = table.withLock { $0.leave(id, number) }
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
    if isLive(id) { return try await lease(id) }
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
        if case .success(let lease?) = late { giveBack(lease.entry) }
      }
      throw failure
    }
  }

  private func isLive(_ id: ID) -> Bool {
    table.withLock { $0.entries[id]?.phase == .live }
  }

  /// Creates a reactor for the tasks that wait, without the task-local values of any of them.
  func begin(_ entry: Entry) {
    let making = table.withLock { _ in entry.making }
    PipelineTasks.make { [self] in
      do {
        let reactor = try await RegistryMaking.$current.withValue(making) {
          try await make(entry.id)
        }
        hasMade(entry, reactor)
      } catch {
        hasFailed(entry, error)
      }
    }
  }

  private func hasMade(_ entry: Entry, _ reactor: R) {
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
      endAtOnce(entry, reactor, closing)
    } else {
      for waiter in waiters { waiter.continuation.resume(returning: entry) }
    }
    if sweeps { sweep() }
  }

  /// Stops a reactor that was created after the registry closed; actions that its factory sent may
  /// be running.
  private func endAtOnce(_ entry: Entry, _ reactor: R, _ mode: StopMode) {
    let receipt = reactor.stop(mode)
    let isTimeUp = table.withLock { table in
      entry.reactor = reactor
      entry.phase = .ending
      if table.stops > 0 { table.late.append((RegistryLease(entry, reactor), receipt)) }
      return table.closing == .cancel
    }
    if isTimeUp, mode == .drain { reactor.stop() }
    watchEnd(of: entry)
  }

  private func hasFailed(_ entry: Entry, _ error: any Error) {
    let (waiters, latches) = table.withLock { table in
      (table.takeWaiters(of: entry), table.remove(entry))
    }
    for waiter in waiters { waiter.continuation.resume(throwing: error) }
    for latch in latches { latch.open() }
  }
}

extension RegistryTable {
  /// What a task that requests a reactor has to do.
  enum Entrance: Sendable {
    case lease(RegistryLease<ID, R>)
    case failure(any Error)
    /// It waits, and another task does the rest.
    case wait
    /// It waits, and has to start the creation.
    case make(Entry)
    /// It waits, and has to watch for the end of the previous reactor.
    case end(Entry)
  }

  mutating func enter(
    _ id: ID, _ waiter: RegistryWaiter<ID, R>, isCancelled: Bool
  ) -> Entrance {
    if isClosed { return .failure(RegistryError.stopped) }
    if let lease = lease(id) { return .lease(lease) }
    if isCancelled { return .failure(CancellationError()) }
    guard let entry = entries[id] else {
      let entry = makeEntry(for: id)
      return wait(waiter, for: entry) ?? .make(entry)
    }
    let isFirst = entry.waiters.isEmpty
    return wait(waiter, for: entry) ?? (entry.phase == .ending && isFirst ? .end(entry) : .wait)
  }

  /// - Returns: The reason why it must not wait.
  private func wait(_ waiter: RegistryWaiter<ID, R>, for entry: Entry) -> Entrance? {
    let making = entry.making ?? RegistryMaking(of: entry.id)
    entry.making = making
    var waiter = waiter
    if let maker = waiter.maker {
      let wait = MakingWait(maker, for: making)
      if let circle = wait.begin() { return .failure(RegistryError.circle(circle)) }
      waiter.wait = wait
    }
    entry.waiters[waiter.number] = waiter
    return nil
  }

  func takeWaiters(of entry: Entry) -> [RegistryWaiter<ID, R>] {
    defer { (entry.waiters, entry.making) = ([:], nil) }
    let waiters = entry.waiters.values.sorted { $0.number < $1.number }
    for waiter in waiters { waiter.wait?.end() }
    return waiters
  }

  /// Removes a task that no longer waits.
  func leave(_ id: ID, _ number: UInt64) -> RegistryWaiter<ID, R>? {
    let waiter = entries[id]?.waiters.removeValue(forKey: number)
    waiter?.wait?.end()
    return waiter
  }
}
