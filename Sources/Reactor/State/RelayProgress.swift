import ReactorRuntime

/// The progress of a relay: a task that makes a shared stream from the states of a source.
///
/// The relay lags behind the source, and so does the newest value that it keeps for late
/// subscribers. A late subscriber therefore waits at a ``RelayMark`` until the relay has passed the
/// state that the source had when it subscribed. States that the relay leaves out are passed, too.
///
/// Holds: `contents`, guarded by its own lock; latches are opened outside it.
@usableFromInline
package final class RelayProgress: Sendable {
  private struct Contents: Sendable {
    /// The versions of the states that were passed, each with that of the value published last.
    ///
    /// Kept are the last step, and all since the oldest remaining mark was made.
    var steps = FIFO<Step>()
    /// The number of steps so far.
    var count = 0
    /// The number of steps at the time that each mark was made.
    var marks = IdentityList<Numbered<Int>>()
    var lastMark: UInt64 = 0
    /// The latches of waiting subscribers, by the versions that they wait for.
    var waiting: [UInt64: IdentityList<Latch>] = [:]
    /// No version below this one is waited for.
    var lowest: UInt64 = 0
    var isFinished = false

    var last: Step? { steps.isEmpty ? nil : steps[steps.count - 1] }

    func hasPassed(_ version: UInt64) -> Bool {
      isFinished || last.map { $0.passed >= version } ?? false
    }

    /// Removes the steps that are older than every mark.
    mutating func trim() {
      let needed = min(marks.first?.element ?? .max, count - 1)
      while count - steps.count < needed { _ = steps.popFirst(keepingCapacityFor: 64) }
    }

    /// The first step that passed a version, or else the last one.
    func step(after version: UInt64) -> Step? {
      var (low, high) = (0, steps.count)
      while low < high {
        let middle = (low + high) / 2
        if steps[middle].passed < version { low = middle + 1 } else { high = middle }
      }
      return low < steps.count ? steps[low] : last
    }

    /// Removes the latches for versions up to this one, in the order of the versions, so that a
    /// repeated simulation resumes them in the same order.
    mutating func takeWaiting(through version: UInt64) -> [Latch] {
      defer { lowest = version }
      // Checks each version once, or each that is waited for, whichever are fewer.
      let isShort = version - lowest < UInt64(waiting.count)
      let reached =
        isShort ? Array(lowest...version) : waiting.keys.filter { $0 <= version }.sorted()
      return reached.flatMap { waiting.removeValue(forKey: $0)?.all ?? [] }
    }
  }

  private struct Step: Sendable {
    let passed: UInt64
    let shown: UInt64
  }

  private let contents = Guarded(Contents())

  package init() {}

  /// Records that the relay has passed a state of its source, and has published the value that
  /// results.
  ///
  /// - Parameters:
  ///   - version: The state's version; one that is not above the last is ignored.
  ///   - shown: The version of the value that was published last.
  package func pass(_ version: UInt64, shown: UInt64) {
    let reached = contents.withLock { contents -> [Latch] in
      if contents.hasPassed(version) { return [] }
      contents.steps.append(Step(passed: version, shown: shown))
      contents.count += 1
      contents.trim()
      return contents.takeWaiting(through: version)
    }
    for latch in reached { latch.open() }
  }

  /// Records that the relay has ended, and resumes all that wait for it.
  package func finish() {
    let reached = contents.withLock { contents in
      contents.isFinished = true
      return contents.takeWaiting(through: .max)
    }
    for latch in reached { latch.open() }
  }

  // MARK: Late subscribers

  /// Whether there is a mark: then the relay has to continue.
  var isMarked: Bool { contents.withLock { !$0.marks.isEmpty } }

  /// The number of steps that it keeps.
  var retainedStepCount: Int { contents.withLock { $0.steps.count } }

  /// Marks the present state of the source.
  package func mark<State: Sendable>(_ states: StateStream<State>) -> RelayMark {
    // Before the subscription, so that no step from there on is removed.
    let id = addMark()
    let place = states.source.subscribe(.everyState)
    return RelayMark(self, id) { await place.next() == nil ? 0 : place.version }
  }

  /// Marks a known version of the source.
  package func mark(_ version: UInt64) -> RelayMark {
    RelayMark(self, addMark()) { version }
  }

  private func addMark() -> UInt64 {
    contents.withLock { contents in
      contents.lastMark += 1
      // The last step may be the one that is looked up for it.
      contents.marks.append(Numbered(contents.lastMark, max(0, contents.count - 1)))
      return contents.lastMark
    }
  }

  fileprivate func removeMark(_ id: UInt64) {
    contents.withLock { contents in
      contents.marks.remove(id)
      contents.trim()
    }
  }

  /// Waits until the relay has passed a version, or the task is cancelled.
  ///
  /// - Returns: The version of the value that had been published by then.
  fileprivate nonisolated(nonsending) func shown(after version: UInt64) async -> UInt64 {
    let latch = Latch()
    let isLate = contents.withLock { contents in
      if contents.hasPassed(version) { return false }
      contents.waiting[version, default: IdentityList()].append(latch)
      return true
    }
    if isLate { await latch.wait() }
    return contents.withLock { contents in
      contents.waiting[version]?.remove(latch.id)
      if contents.waiting[version]?.isEmpty == true { contents.waiting[version] = nil }
      return contents.step(after: version)?.shown ?? 0
    }
  }
}

/// The state that a relay's source had when a subscriber was added.
///
/// While it is retained, the relay continues, and its progress keeps each step.
package final class RelayMark: Sendable {
  private let progress: RelayProgress
  private let id: UInt64
  private let version: nonisolated(nonsending) @Sendable () async -> UInt64

  fileprivate init(
    _ progress: RelayProgress, _ id: UInt64,
    _ version: nonisolated(nonsending) @escaping @Sendable () async -> UInt64
  ) {
    self.progress = progress
    self.id = id
    self.version = version
  }

  deinit { progress.removeMark(id) }

  /// Waits until the relay has passed it, or the task is cancelled.
  ///
  /// - Returns: The version of the value that the relay had published by then.
  @discardableResult
  package nonisolated(nonsending) func passed() async -> UInt64 {
    await progress.shown(after: await version())
  }
}
