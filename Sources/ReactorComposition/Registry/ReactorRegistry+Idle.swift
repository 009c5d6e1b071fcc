import Reactor
import ReactorRuntime

/// Releasing what is idle.
extension ReactorRegistry {
  /// How many are looked at at a time: the lock is not held for longer than that takes.
  private static var batch: Int { 256 }

  /// Sees to it that what is idle for long enough is released: one task for all, for as long as
  /// there is something idle.
  @usableFromInline
  func sweep() {
    // Under the lock, so that it is known before it can have come to its end.
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

  /// How long until the next one is released; `nil`, and nothing sweeps any more, if there is none.
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

  /// Ends reactors: what they have accepted is still done.
  private func end(_ ending: [Lease]) {
    guard !ending.isEmpty else { return }
    let stopped = ending.map { (entry: $0.entry, receipt: $0.reactor.stop(.drain)) }
    PipelineTasks.make { [self] in
      for (entry, receipt) in stopped {
        await receipt.settled
        hasEnded(entry)
      }
    }
  }

  /// Looks when a reactor has ended: what waits for it must not wait for others, too.
  func watchEnd(of entry: Entry, _ mode: StopMode = .drain) {
    let receipt = table.withLock { _ in entry.reactor }?.stop(mode)
    PipelineTasks.make { [self] in
      await receipt?.settled
      hasEnded(entry)
    }
  }

  /// A reactor has ended; if a task waits for its successor, that is made.
  func hasEnded(_ entry: Entry) {
    var (next, reactor, latches) = table.withLock { table -> (Entry?, R?, [Latch]) in
      guard entry.phase == .ending else { return (nil, nil, []) }
      let (next, latches) = table.replace(entry)
      defer { entry.reactor = nil }
      return (next, entry.reactor, latches)
    }
    // Outside the lock, and before there is another one.
    if reactor != nil { reactor = nil }
    if let next { begin(next) }
    for latch in latches { latch.open() }
  }

  /// Whether the reactor of a key is there, and nothing is to be done in it at this moment.
  package func isQuiet(_ id: ID) -> Bool {
    table.withLock { table in
      guard let entry = table.entries[id], entry.phase == .live else { return false }
      return entry.reactor?.isQuiet ?? false
    }
  }
}

extension RegistryTable {
  /// Those that have been idle since then, and in which nothing is to be done.
  ///
  /// From here on they end. The others begin to be idle anew.
  ///
  /// - Parameters:
  ///   - then: Since when.
  ///   - now: What time it is.
  ///   - limit: How many to look at.
  /// - Returns: Those that end.
  mutating func takeIdle(
    since then: Duration, at now: Duration, _ limit: Int
  ) -> [RegistryLease<ID, R>] {
    var ending: [RegistryLease<ID, R>] = []
    for _ in 0..<limit {
      guard let entry = first, entry.idleSince <= then else { break }
      unlink(entry)
      guard let reactor = entry.reactor, reactor.isQuiet else {
        _ = append(entry, at: now)
        continue
      }
      entry.phase = .ending
      ending.append(RegistryLease(entry, reactor))
    }
    return ending
  }

  /// Takes out an entry that has ended, and puts its successor there if a task waits for it.
  mutating func replace(_ entry: Entry) -> (Entry?, [Latch]) {
    guard !entry.waiters.isEmpty, !isClosed else { return (nil, remove(entry)) }
    let next = makeEntry(for: entry.id)
    entry.phase = .gone
    (next.waiters, next.making) = (entry.waiters, entry.making)
    (entry.waiters, entry.making) = ([:], nil)
    return (next, [])
  }
}

extension Reactor {
  /// Whether nothing is to be done in it at this moment.
  fileprivate nonisolated var isQuiet: Bool {
    switch pipeline.engine.activity {
    case .unused, .idle, .ended, .released: true
    case .working, .ending: false
    }
  }
}
