/// Which actions still have work of their own, what that work is, and who waits for it to end.
///
/// Only actions whose work outlives their turn are written here; most never are.
///
/// Holds: `contents`, guarded by its own lock; latches are opened outside it.
@usableFromInline
struct SettlingLedger<
  Work: AnyObject & Sendable & Identifiable<ObjectIdentifier>
>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// A finished action has no entry.
    @usableFromInline var open = SettlingTable<Work>()
    @usableFromInline var isStopped = false
    /// How often the reactor has begun again.
    @usableFromInline var life: UInt32 = 0
    /// How actions ended that did not finish; mostly there is none to be known.
    @usableFromInline var ends = ActionEnds.none
    @usableFromInline var waiters: [UInt64: ActionWaiters] = [:]
    /// Who waits for more than one action, and what the last end cut short.
    @usableFromInline var boxed = Boxed<StopBook>()

    @inlinable
    init() {}

    /// An action's last piece of work has ended.
    ///
    /// - Parameters:
    ///   - number: The action.
    ///   - end: How it ended, if otherwise than by finishing.
    /// - Returns: What comes of it.
    @inlinable
    mutating func settle(_ number: UInt64, _ end: ActionEnd?) -> Settled {
      var settled = takeWaiters(for: number, end)
      if open.isEmpty, !boxed.isEmpty { settled.latches += takeIdleWaiters() }
      return settled
    }

    @inlinable
    mutating func takeWaiters(for number: UInt64, _ end: ActionEnd?) -> Settled {
      let latches = waiters.isEmpty ? [] : removeWaiters(for: number)
      // Once nobody waits, the book may be put away.
      return Settled(latches: latches, gone: settleInBook(number, end))
    }

    /// Whether somebody waits for the action who has to be told at the owner.
    @inlinable
    func opensAtOwner(_ number: UInt64) -> Bool {
      !waiters.isEmpty && hasWaiterAtOwner(number)
    }

    @usableFromInline
    func hasWaiterAtOwner(_ number: UInt64) -> Bool {
      waiters[number]?.opensAtOwner == true
    }

    @usableFromInline
    mutating func addWaiter(_ latch: Latch, for number: UInt64) {
      waiters[number, default: ActionWaiters()].append(latch)
    }

    @usableFromInline
    mutating func removeWaiters(for number: UInt64) -> [Latch] {
      defer { if waiters.isEmpty { waiters = [:] } }
      return waiters.removeValue(forKey: number)?.latches.all ?? []
    }

    @usableFromInline var stopBook: StopBook {
      get { boxed.value }
      _modify { yield &boxed.value }
    }

    /// Nothing is open now.
    @usableFromInline
    mutating func takeIdleWaiters() -> [Latch] {
      let idle = stopBook.idleWaiters.all
      stopBook.idleWaiters = IdentityList()
      return isStopped ? idle + takeStopWaiters() : idle
    }

    @usableFromInline
    mutating func takeEndWaiters() -> [Latch] {
      defer { stopBook.endWaiters = IdentityList() }
      return stopBook.endWaiters.all
    }

    @usableFromInline
    mutating func takeStopWaiters() -> [Latch] {
      defer { stopBook.stopWaiters = IdentityList() }
      return stopBook.stopWaiters.all
    }

    /// The reactor is gone.
    ///
    /// - Parameters:
    ///   - others: The number under which what others do stands.
    ///   - key: Whose ends these are.
    /// - Returns: What goes, and who waited for something that will not end by itself.
    @usableFromInline
    mutating func abandon(
      sparing others: UInt64, key: UInt
    ) -> (SettlingTable<Work>, [Latch], [ActionEnd]) {
      var running = open.running(sparing: others) { waiters[$0] != nil }
      let forgotten = abandonInBook(sparing: &running, key: key)
      let gone = open
      open = running
      let released = waiters.filter { !running.contains($0.key) }.sorted { $0.key < $1.key }
      for (number, _) in released { _ = removeWaiters(for: number) }
      let idle = open.isEmpty ? takeIdleWaiters() : []
      return (gone, released.flatMap(\.value.latches.all) + idle + takeEndWaiters(), forgotten)
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
  /// - Returns: Whether it was the last one.
  @inlinable
  @discardableResult
  func end(_ number: UInt64, _ work: Work? = nil) -> Bool {
    let settled = contents.withLock { contents -> Settled? in
      let (isLast, end) = contents.open.end(number, work)
      return isLast ? contents.settle(number, end) : nil
    }
    settled?.open()
    return settled != nil
  }

  /// A piece of the action's work has ended away from its owner.
  ///
  /// Refused where somebody waits who must be told at the owner (``Latch/opensAtOwner``).
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - work: The work.
  ///   - willEnd: Called under the lock, before anybody is told, once it is sure.
  /// - Returns: Whether it was the last one; `nil` where it has not ended.
  @inlinable
  func endAway(_ number: UInt64, _ work: Work, _ willEnd: () -> Void) -> Bool? {
    let (settled, hasEnded) = contents.withLock { contents -> (Settled?, Bool) in
      guard !contents.opensAtOwner(number) else { return (nil, false) }
      willEnd()
      let (isLast, end) = contents.open.end(number, work)
      return (isLast ? contents.settle(number, end) : nil, true)
    }
    settled?.open()
    return hasEnded ? settled != nil : nil
  }

  /// What of an action's work can be cancelled.
  @inlinable
  func works(of number: UInt64) -> Few<Work> {
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
    let (settled, hasWaiters) = contents.withLock { contents -> (Settled?, Bool) in
      let isOpen = contents.open.contains(number)
      let settled = isOpen ? nil : contents.takeWaiters(for: number, nil)
      return (settled, !contents.waiters.isEmpty)
    }
    settled?.open()
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
      contents.addWaiter(latch, for: number)
      return latch
    }
  }

  /// Has a latch opened when the action settles.
  ///
  /// - Parameters:
  ///   - latch: The latch.
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it, so that no open work means it is settled.
  /// - Returns: Whether there is something to wait for.
  func add(_ latch: Latch, for number: UInt64, isTaken: Bool) -> Bool {
    contents.withLock { contents in
      if isTaken, !contents.open.contains(number) { return false }
      contents.addWaiter(latch, for: number)
      return true
    }
  }

  /// A hook has made a further action of this one, which does not settle before it.
  ///
  /// - Parameters:
  ///   - twin: The number of the further one, which has yet to be taken.
  ///   - number: The action.
  ///   - latch: Opened when the further one has settled.
  ///   - key: Whose ends these are.
  @usableFromInline
  func include(_ twin: UInt64, in number: UInt64, _ latch: Latch, key: UInt) {
    begin(number)
    contents.withLock { contents in
      contents.open.add(twin, to: number)
      contents.addWaiter(latch, for: twin)
      contents.book(key).include(twin, in: number)
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
      contents.addWaiter(latch, for: number)
    }
  }

  /// Drops a latch that nobody waits at any longer.
  func forget(_ latch: Latch, for number: UInt64) {
    contents.withLock { contents in
      contents.waiters[number]?.latches.remove(latch.id)
      if contents.waiters[number]?.count == 0 { _ = contents.removeWaiters(for: number) }
    }
  }

  /// A latch that opens when the reactor has stopped and all work has ended; `nil` if that is so.
  ///
  /// - Parameter life: Which of the reactor's lives is meant; one before this one has ended.
  /// - Returns: The latch, if there is something to wait for.
  func latchForEverything(in life: UInt32) -> Latch? {
    contents.withLock { contents in
      if contents.isStopped, contents.open.isEmpty { return nil }
      guard life == contents.life else { return nil }
      let latch = Latch()
      contents.stopBook.stopWaiters.append(latch)
      return latch
    }
  }

  /// Opens a latch as soon as nothing is open, which may be at once.
  func whenIdle(_ latch: Latch) {
    let isIdle = contents.withLock { contents in
      if !contents.open.isEmpty { contents.stopBook.idleWaiters.append(latch) }
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
  ///
  /// - Returns: What they wait at, to be opened outside all locks.
  func restart() -> [Latch] {
    contents.withLock { contents in
      contents.isStopped = false
      contents.life += 1
      return contents.takeEndWaiters() + contents.takeStopWaiters()
    }
  }

  /// The reactor is gone: nobody waits any longer but for work that runs, cancelled, to its end.
  ///
  /// - Parameters:
  ///   - others: The number under which what others do stands, who will tell that it has ended.
  ///   - key: Whose ends these are.
  @inlinable
  func abandon(sparing others: UInt64, key: UInt) {
    let (work, latches, gone) = contents.withLock {
      contents -> (SettlingTable<Work>, [Latch], [ActionEnd]) in
      contents.isStopped = true
      // Mostly there is nothing and nobody.
      if contents.open.isEmpty, contents.waiters.isEmpty, contents.boxed.isEmpty {
        return (SettlingTable(), [], [])
      }
      return contents.abandon(sparing: others, key: key)
    }
    open(latches)
    withExtendedLifetime((work, gone)) {}
  }

  @usableFromInline
  func open(_ latches: [Latch]) {
    for latch in latches { latch.open() }
  }
}

/// What comes of an action having settled, to be seen to outside the ledger's lock.
@usableFromInline
struct Settled: Sendable {
  /// Who waited.
  @usableFromInline var latches: [Latch]
  /// What goes as its end is written down: released with this.
  @usableFromInline let gone: EndLeavings

  @inlinable
  init(latches: [Latch], gone: EndLeavings) {
    self.latches = latches
    self.gone = gone
  }

  @inlinable
  func open() {
    for latch in latches { latch.open() }
  }
}

/// Those that wait for one action.
@usableFromInline
struct ActionWaiters: Sendable {
  var latches = IdentityList<Latch>()
  /// Whether one of them may be opened at the owner alone.
  private(set) var opensAtOwner = false

  var count: Int { latches.count }

  mutating func append(_ latch: Latch) {
    latches.append(latch)
    if latch.opensAtOwner { opensAtOwner = true }
  }
}
