/// Which actions still have work of their own, what that work is, and who waits for it to end.
///
/// Only actions whose work outlives their turn are written here; most never are.
///
/// Holds: `contents`, guarded by its own lock; latches are opened outside it.
@usableFromInline
struct SettlingLedger<Work: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// A finished action has no entry.
    @usableFromInline var open = SettlingTable<Work>()
    @usableFromInline var waiters: [UInt64: [Latch]] = [:]
    /// How actions ended that did not finish; mostly there is none to be known.
    @usableFromInline var ends: EndBook?
    /// What the last end cut short; mostly nobody has asked, and there is nothing.
    @usableFromInline var stopBook: StopBook?
    /// Waiters for the end of everything, once the reactor has stopped.
    @usableFromInline var stopWaiters: [Latch] = []
    /// Waiters for a moment at which nothing is open.
    @usableFromInline var idleWaiters: [Latch] = []
    @usableFromInline var isStopped = false
    /// How often the reactor has begun again.
    @usableFromInline var life: UInt64 = 0

    @inlinable
    init() {}

    /// What opens when an action's last piece of work has ended.
    @inlinable
    mutating func settle(_ number: UInt64) -> [Latch] {
      let settled = takeWaiters(for: number)
      guard open.isEmpty, isStopped || !idleWaiters.isEmpty else { return settled }
      defer { idleWaiters = [] }
      return settled + idleWaiters + (isStopped ? takeStopWaiters() : [])
    }

    @inlinable
    mutating func takeWaiters(for number: UInt64) -> [Latch] {
      if ends != nil { settleInBook(number) }
      return waiters.isEmpty ? [] : waiters.removeValue(forKey: number) ?? []
    }

    @usableFromInline
    func takeEndWaiters() -> [Latch] { stopBook?.takeWaiters() ?? [] }

    @inlinable
    mutating func takeStopWaiters() -> [Latch] {
      defer { stopWaiters = [] }
      return stopWaiters
    }
  }

  @usableFromInline let contents: Guarded<Contents>

  @inlinable
  init() { contents = Guarded(Contents()) }

  /// A piece of the action's work has begun.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - work: What to cancel, if there is something.
  @inlinable
  func begin(_ number: UInt64, _ work: Work? = nil) {
    contents.withLock { $0.open.begin(number, work) }
  }

  /// A piece of the action's work has ended; the last one settles the action.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - work: What was to be cancelled.
  @inlinable
  func end(_ number: UInt64, _ work: Work? = nil) {
    let settled = contents.withLock { contents -> [Latch] in
      contents.open.end(number, work) ? contents.settle(number) : []
    }
    if !settled.isEmpty { open(settled) }
  }

  /// What of an action's work can be cancelled.
  @inlinable
  func works(of number: UInt64) -> [Work] {
    contents.withLock { $0.open.works(of: number) }
  }

  /// What of anybody's work can be cancelled.
  @inlinable
  func works() -> [Work] {
    contents.withLock { $0.open.works() }
  }

  /// The action has been taken: if it left no work behind, it is settled.
  ///
  /// - Returns: Whether anybody waits for another.
  @inlinable
  func settleIfIdle(_ number: UInt64) -> Bool {
    let (settled, hasWaiters) = contents.withLock { contents in
      let isOpen = contents.open.contains(number)
      let settled = isOpen ? [] : contents.takeWaiters(for: number)
      return (settled, !contents.waiters.isEmpty)
    }
    open(settled)
    return hasWaiters
  }

  /// A latch that opens when the action settles.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it, so that no open work means it is settled.
  /// - Returns: `nil` where there is nothing to wait for.
  @inlinable
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    contents.withLock { contents in
      if isTaken, !contents.open.contains(number) { return nil }
      let latch = Latch()
      contents.waiters[number, default: []].append(latch)
      return latch
    }
  }

  /// A hook has made a further action of this one, which does not settle before it.
  ///
  /// - Parameters:
  ///   - twin: The number of the further one, which has yet to be taken.
  ///   - number: The action.
  ///   - latch: Opened when the further one has settled.
  @usableFromInline
  func include(_ twin: UInt64, in number: UInt64, _ latch: Latch) {
    begin(number)
    contents.withLock { contents in
      contents.open.add(twin, to: number)
      contents.waiters[twin, default: []].append(latch)
      contents.openBook().include(twin, in: number)
    }
  }

  /// Further actions that a hook made of this one.
  func twins(of number: UInt64) -> [UInt64] {
    contents.withLock { $0.open.twins(of: number) }
  }

  /// Leaves the chain when an action settles that has yet to be taken.
  @usableFromInline
  func follow(_ number: UInt64, as member: ChainMember) {
    let latch = Latch { member.leave() }
    contents.withLock { contents in
      contents.waiters[number, default: []].append(latch)
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
  ///
  /// - Parameter life: Which of the reactor's lives is meant; one before this one has ended.
  /// - Returns: The latch, if there is something to wait for.
  func latchForEverything(in life: UInt64) -> Latch? {
    contents.withLock { contents in
      if contents.isStopped, contents.open.isEmpty { return nil }
      guard life == contents.life else { return nil }
      let latch = Latch()
      contents.stopWaiters.append(latch)
      return latch
    }
  }

  /// Opens a latch as soon as nothing is open, which may be at once.
  func whenIdle(_ latch: Latch) {
    let isIdle = contents.withLock { contents in
      if !contents.open.isEmpty { contents.idleWaiters.append(latch) }
      return contents.open.isEmpty
    }
    if isIdle { latch.open() }
  }

  /// The reactor has stopped; nothing new begins.
  func stop() {
    open(
      contents.withLock { contents -> [Latch] in
        contents.isStopped = true
        return contents.takeEndWaiters()
          + (contents.open.isEmpty ? contents.takeStopWaiters() : [])
      })
  }

  /// The reactor begins again: whoever waited for its end has waited long enough.
  func restart() {
    open(
      contents.withLock { contents -> [Latch] in
        contents.isStopped = false
        contents.life += 1
        return contents.takeEndWaiters() + contents.takeStopWaiters()
      })
  }

  /// The reactor is gone: nobody waits any longer.
  @inlinable
  func abandon() {
    let (work, latches) = contents.withLock { contents -> (SettlingTable<Work>, [Latch]) in
      contents.isStopped = true
      contents.abandonInBook()
      // Mostly there is nothing and nobody.
      if contents.open.isEmpty, contents.waiters.isEmpty, contents.stopWaiters.isEmpty,
        contents.idleWaiters.isEmpty, contents.stopBook == nil
      {
        return (SettlingTable(), [])
      }
      defer { (contents.open, contents.waiters) = (SettlingTable(), [:]) }
      return (
        contents.open,
        contents.waiters.values.flatMap { $0 } + contents.takeStopWaiters()
          + contents.idleWaiters + contents.takeEndWaiters()
      )
    }
    open(latches)
    withExtendedLifetime(work) {}
  }

  @usableFromInline
  func open(_ latches: [Latch]) {
    for latch in latches { latch.open() }
  }
}
