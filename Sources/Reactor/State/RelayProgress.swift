/// How far a relay has come: a task that makes a shared stream of the states of a source.
///
/// The relay lags behind the source, and so does the newest value that it keeps for late
/// subscribers. A late subscriber therefore waits at a ``RelayMark`` until the relay has passed the
/// state that the source had when it subscribed. What the relay leaves out is passed, too.
///
/// Holds: `own`, guarded by its own lock; latches are opened outside it.
@usableFromInline
package final class RelayProgress: Sendable {
  private struct Own: Sendable {
    /// The versions of the states that were passed, each with that of the value shown last by then:
    /// the last one, and all since the first of the marks was made.
    var steps: [(passed: UInt64, shown: UInt64)] = []
    var marks = 0
    var waiting: [ObjectIdentifier: (version: UInt64, latch: Latch)] = [:]
    /// No version below this one is waited for.
    var lowest = UInt64.max
    var isFinished = false

    func hasPassed(_ version: UInt64) -> Bool {
      isFinished || steps.last.map { $0.passed >= version } ?? false
    }

    mutating func takeReached() -> [Latch] {
      guard !waiting.isEmpty, hasPassed(lowest) else { return [] }
      let all = waiting
      waiting = all.filter { !hasPassed($0.value.version) }
      lowest = waiting.values.map(\.version).min() ?? .max
      return all.values.filter { hasPassed($0.version) }.map(\.latch)
    }
  }

  private let own = Guarded(Own())

  package init() {}

  /// The relay has passed a state of its source, and has shown what came of it.
  ///
  /// - Parameters:
  ///   - version: The state's version; one that is not above the last is left out.
  ///   - shown: The version of the value that was shown last.
  package func pass(_ version: UInt64, shown: UInt64) {
    let reached = own.withLock { own -> [Latch] in
      if let last = own.steps.last, last.passed >= version { return [] }
      if own.marks == 0 { own.steps.removeAll(keepingCapacity: own.steps.count <= 64) }
      own.steps.append((version, shown))
      return own.takeReached()
    }
    for latch in reached { latch.open() }
  }

  /// The relay has ended, and nothing waits for it any more.
  package func finish() {
    let reached = own.withLock { own in
      own.isFinished = true
      return own.takeReached()
    }
    for latch in reached { latch.open() }
  }

  // MARK: Late subscribers

  /// Whether there is a mark: then the relay has to go on.
  var isMarked: Bool { own.withLock { $0.marks > 0 } }

  /// Notes what the source has now.
  package func mark<State: Sendable>(_ states: StateStream<State>) -> RelayMark {
    // Before the place is taken, so that no step from there on is forgotten.
    own.withLock { $0.marks += 1 }
    let place = states.source.subscribe(.everyState)
    return RelayMark(self) { await place.nextWithVersion()?.version ?? 0 }
  }

  /// Notes a version of the source that is known.
  package func mark(_ version: UInt64) -> RelayMark {
    own.withLock { $0.marks += 1 }
    return RelayMark(self) { version }
  }

  fileprivate func removeMark() { own.withLock { $0.marks -= 1 } }

  /// Waits until the relay has passed a version, or the task is cancelled.
  ///
  /// - Returns: The version of the value that had been shown by then.
  fileprivate nonisolated(nonsending) func shown(after version: UInt64) async -> UInt64 {
    let latch = Latch()
    let isLate = own.withLock { own in
      if own.hasPassed(version) { return false }
      own.waiting[ObjectIdentifier(latch)] = (version, latch)
      own.lowest = min(own.lowest, version)
      return true
    }
    if isLate { await latch.wait() }
    return own.withLock { own in
      own.waiting[ObjectIdentifier(latch)] = nil
      return (own.steps.first { $0.passed >= version } ?? own.steps.last)?.shown ?? 0
    }
  }
}

/// What the source of a relay had when a subscriber came.
///
/// While it is there, the relay goes on, and its progress keeps each step.
package final class RelayMark: Sendable {
  private let progress: RelayProgress
  private let version: nonisolated(nonsending) @Sendable () async -> UInt64

  fileprivate init(
    _ progress: RelayProgress,
    _ version: nonisolated(nonsending) @escaping @Sendable () async -> UInt64
  ) {
    self.progress = progress
    self.version = version
  }

  deinit { progress.removeMark() }

  /// Waits until the relay has passed it, or the task is cancelled.
  ///
  /// - Returns: The version of the value that the relay had shown by then.
  @discardableResult
  package nonisolated(nonsending) func passed() async -> UInt64 {
    await progress.shown(after: await version())
  }
}
