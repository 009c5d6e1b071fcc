/// Which actions still have work of their own, and who waits for it to end.
///
/// Only actions whose work outlives their turn are written here; most never are.
///
/// Holds: `contents`, guarded by its own lock; latches are opened outside it.
@usableFromInline
struct SettlingLedger: ~Copyable, Sendable {
  struct Contents: Sendable {
    /// Pieces of work by action number; a finished action has no entry.
    var open: [UInt64: Int] = [:]
    var waiters: [UInt64: [Latch]] = [:]
    /// Waiters for the end of everything, once the reactor has stopped.
    var stopWaiters: [Latch] = []
    var isStopped = false

    mutating func takeStopWaiters() -> [Latch] {
      defer { stopWaiters = [] }
      return stopWaiters
    }
  }

  private let contents = Guarded(Contents())

  @usableFromInline
  init() {}

  /// A piece of the action's work has begun.
  @usableFromInline
  func begin(_ number: UInt64) {
    contents.withLock { $0.open[number, default: 0] += 1 }
  }

  /// A piece of the action's work has ended; the last one settles the action.
  @usableFromInline
  func end(_ number: UInt64) {
    open(
      contents.withLock { contents -> [Latch] in
        guard let pieces = contents.open[number] else { return [] }
        guard pieces == 1 else {
          contents.open[number] = pieces - 1
          return []
        }
        contents.open[number] = nil
        let settled = contents.waiters.removeValue(forKey: number) ?? []
        guard contents.isStopped, contents.open.isEmpty else { return settled }
        return settled + contents.takeStopWaiters()
      })
  }

  /// The action has been taken: if it left no work behind, it is settled.
  func settleIfIdle(_ number: UInt64) {
    open(
      contents.withLock { contents -> [Latch] in
        guard contents.open[number] == nil else { return [] }
        return contents.waiters.removeValue(forKey: number) ?? []
      })
  }

  /// Whether the action has work that goes on.
  func isOpen(_ number: UInt64) -> Bool {
    contents.withLock { $0.open[number] != nil }
  }

  /// Whether anybody waits for an action.
  var hasWaiters: Bool {
    contents.withLock { !$0.waiters.isEmpty }
  }

  /// A latch that opens when the action settles.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it, so that no open work means it is settled.
  /// - Returns: `nil` where there is nothing to wait for.
  @usableFromInline
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    contents.withLock { contents in
      if isTaken, contents.open[number] == nil { return nil }
      let latch = Latch()
      contents.waiters[number, default: []].append(latch)
      return latch
    }
  }

  /// Drops a latch that nobody waits at any longer.
  func forget(_ latch: Latch, for number: UInt64) {
    contents.withLock { contents in
      guard var latches = contents.waiters.removeValue(forKey: number) else { return }
      latches.removeAll { $0 === latch }
      if !latches.isEmpty { contents.waiters[number] = latches }
    }
  }

  /// A latch that opens when the reactor has stopped and all work has ended; `nil` if that is so.
  func latchForEverything() -> Latch? {
    contents.withLock { contents in
      if contents.isStopped, contents.open.isEmpty { return nil }
      let latch = Latch()
      contents.stopWaiters.append(latch)
      return latch
    }
  }

  /// The reactor has stopped; nothing new begins.
  func stop() {
    open(
      contents.withLock { contents -> [Latch] in
        contents.isStopped = true
        return contents.open.isEmpty ? contents.takeStopWaiters() : []
      })
  }

  /// The reactor is gone: nobody waits any longer.
  func abandon() {
    open(
      contents.withLock { contents -> [Latch] in
        contents.isStopped = true
        contents.open = [:]
        defer { contents.waiters = [:] }
        return contents.waiters.values.flatMap { $0 } + contents.takeStopWaiters()
      })
  }

  private func open(_ latches: [Latch]) {
    for latch in latches { latch.open() }
  }
}
