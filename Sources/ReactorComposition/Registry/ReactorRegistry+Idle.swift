import Reactor
import ReactorRuntime

/// Releasing idle reactors.
extension ReactorRegistry {
  /// How many reactors are checked at a time, so that the lock is not held longer.
  private static var batch: Int { 256 }

  /// Starts the task that releases reactors after their idle time.
  ///
  /// One task serves all keys, and it runs while any reactor is idle.
  @usableFromInline
  func sweep() {
    // Stored under the lock, so that it is set before the task can end.
    table.withLock { table in
      table.sweeper = PipelineTasks.make { [weak self, clock] in
        while let rest = self?.timeToNextEnd() {
          if rest > .zero {
            guard (try? await clock.sleep(rest)) != nil else { return }
          } else {
            await Task.yield()
          }
          self?.endIdle()
        }
      }
    }
  }

  /// The time until the next reactor is released; `nil` if none is idle, and then the sweeping has
  /// ended.
  private func timeToNextEnd() -> Duration? {
    let now = clock.now()
    return table.withLock { table in
      guard let idle, let first = table.first else {
        table.isSwept = false
        return nil
      }
      return first.idleSince + idle - now
    }
  }

  private func endIdle() {
    let now = clock.now()
    let ending = table.withLock { $0.takeIdle(since: now - (idle ?? .zero), at: now, Self.batch) }
    end(ending)
  }

  /// Drains reactors: the work they have accepted is still done.
  private func end(_ ending: [Lease]) {
    guard !ending.isEmpty else { return }
    let stopped = ending.map { (entry: $0.entry, receipt: $0.reactor.stop(.drain)) }
    PipelineTasks.make { [self] in
      for (entry, receipt) in stopped {
        await receipt.settled
        reactorEnded(entry)
      }
    }
  }

  /// Waits for the end of one reactor in a task of its own, so that its successor does not wait for
  /// other reactors.
  func awaitEnd(of entry: Entry, _ mode: StopMode = .drain) {
    let receipt = table.withLock { _ in entry.reactor }?.stop(mode)
    PipelineTasks.make { [self] in
      await receipt?.settled
      reactorEnded(entry)
    }
  }

  /// Handles the end of a reactor; if a task waits for its successor, that is created.
  func reactorEnded(_ entry: Entry) {
    var (next, reactor, latches) = table.withLock { table -> (Entry?, R?, [Latch]) in
      guard entry.phase == .ending else { return (nil, nil, []) }
      let (next, latches) = table.replace(entry)
      defer { entry.reactor = nil }
      return (next, entry.reactor, latches)
    }
    // Released outside the lock, and before its successor is created.
    if reactor != nil { reactor = nil }
    if let next { begin(next) }
    for latch in latches { latch.open() }
  }

  /// Whether the reactor of a key exists and has no work at this moment.
  package func isIdle(_ id: ID) -> Bool {
    table.withLock { table in
      guard let entry = table.entries[id], entry.phase == .live else { return false }
      return entry.reactor?.isIdle ?? false
    }
  }
}

extension RegistryTable {
  /// Removes the reactors that have been idle since a given time and have no work.
  ///
  /// These are marked as ending. Reactors that have work begin to be idle again.
  ///
  /// - Parameters:
  ///   - then: The time since which they have been idle.
  ///   - now: The current time.
  ///   - limit: How many to check.
  /// - Returns: The reactors that end.
  mutating func takeIdle(
    since then: Duration, at now: Duration, _ limit: Int
  ) -> [RegistryLease<ID, R>] {
    var ending: [RegistryLease<ID, R>] = []
    for _ in 0..<limit {
      guard let entry = first, entry.idleSince <= then else { break }
      unlink(entry)
      guard let reactor = entry.reactor, reactor.isIdle else {
        _ = append(entry, at: now)
        continue
      }
      entry.phase = .ending
      ending.append(RegistryLease(entry, reactor))
    }
    return ending
  }

  /// Removes an entry that has ended, and adds its successor if a task waits for it.
  mutating func replace(_ entry: Entry) -> (Entry?, [Latch]) {
    guard !entry.waiters.isEmpty, !isClosed else { return (nil, remove(entry)) }
    let next = makeEntry(for: entry.id)
    entry.phase = .removed
    (next.waiters, next.creation) = (entry.waiters, entry.creation)
    (entry.waiters, entry.creation) = ([:], nil)
    return (next, [])
  }
}

extension Reactor {
  /// Whether the reactor has no work at this moment.
  fileprivate nonisolated var isIdle: Bool {
    switch pipeline.engine.activity {
    case .unused, .idle, .ended, .released: true
    case .working, .ending: false
    }
  }
}
