import ReactorMachines

/// Something that can be cancelled: an effect.
@usableFromInline
protocol LedgerWork: AnyObject, Sendable {
  /// Its place in the ledger.
  ///
  /// Guard: the ledger's lock.
  var slot: Int { get set }
}

/// The work of actions: a ``WorkMachine``, with the effects, what waits for actions, and what goes
/// with their outcomes.
///
/// Holds: `contents`, guarded by its own lock; latches are opened, and errors released, outside it.
@usableFromInline
struct WorkLedger<Work: LedgerWork>: ~Copyable, Sendable {
  struct Contents: Sendable {
    var machine = WorkMachine()
    /// The effects, by their slots.
    var works: [Work?] = []
    var waiters: [UInt64: ActionWaiters] = [:]
    /// What goes with the outcomes that the machine knows.
    var ends: [UInt64: ActionEnd] = [:]
    var idleWaiters = Boxed<IdleWaiters>()
  }

  let contents: Guarded<Contents>

  @usableFromInline
  init() { contents = Guarded(Contents()) }

  // MARK: Pieces

  /// A piece of the action's work that is no effect has begun.
  @usableFromInline
  func begin(_ number: UInt64) { contents.withLock { $0.machine.begin(number) } }

  /// An effect of the action has begun.
  @usableFromInline
  func begin(_ number: UInt64, _ work: Work) { contents.withLock { $0.begin(number, work) } }

  /// A piece of the action's work that is no effect has ended.
  ///
  /// - Returns: Whether it was the last one: then the action has settled.
  @usableFromInline
  @discardableResult
  func end(_ number: UInt64) -> Bool {
    var settled = contents.withLock { contents in
      contents.machine.end(number).map { contents.settle($0) }
    }
    settled?.open()
    return settled != nil
  }

  /// An effect of the action has ended.
  ///
  /// - Returns: Whether it was the last piece: then the action has settled.
  @usableFromInline
  @discardableResult
  func end(_ number: UInt64, _ work: Work) -> Bool {
    var settled = contents.withLock { $0.end(number, work) }
    settled?.open()
    return settled != nil
  }

  /// An effect of the action has ended away from its owner.
  ///
  /// Refused where something waits that must be told at the owner (``Latch/opensAtOwner``).
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - work: The effect.
  ///   - willEnd: Called under the lock, before anything is told, once it is sure.
  /// - Returns: Whether it was the last piece; `nil` where it has not ended.
  @usableFromInline
  func endAway(_ number: UInt64, _ work: Work, _ willEnd: () -> Void) -> Bool? {
    var (settled, hasEnded) = contents.withLock { contents -> (Settled?, Bool) in
      guard contents.waiters[number]?.opensAtOwner != true else { return (nil, false) }
      willEnd()
      return (contents.end(number, work), true)
    }
    settled?.open()
    return hasEnded ? settled != nil : nil
  }

  /// The action has been taken: if it left no work behind, it has settled.
  ///
  /// - Returns: Whether anything waits for another one.
  @usableFromInline
  func settleIfIdle(_ number: UInt64) -> Bool {
    let (latches, hasWaiters) = contents.withLock { contents -> ([Latch], Bool) in
      let isSettled = contents.machine.settleIfIdle(number)
      let latches = isSettled ? contents.takeWaiters(for: number) : []
      return (latches, !contents.waiters.isEmpty)
    }
    for latch in latches { latch.open() }
    return hasWaiters
  }

  /// The effects of an action.
  @usableFromInline
  func works(of number: UInt64) -> Few<Work> { contents.withLock { $0.works(of: number) } }

  /// The effects of all actions.
  @usableFromInline
  func works() -> [Work] {
    contents.withLock { contents in
      contents.machine.openActions.flatMap { contents.works(of: $0) }
    }
  }

  /// Whether no work is open.
  @usableFromInline var isEmpty: Bool { contents.withLock { $0.machine.isIdle } }

  @usableFromInline
  func isOpen(_ number: UInt64) -> Bool { contents.withLock { $0.machine.isOpen(number) } }

  /// Whether the action has one piece of work left.
  @usableFromInline
  func isLast(_ number: UInt64) -> Bool { contents.withLock { $0.machine.pieces(of: number) == 1 } }

  // MARK: Waiting

  /// A latch that opens when the action settles.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it, so that no open work means it is settled.
  /// - Returns: `nil` where there is nothing to wait for.
  @usableFromInline
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    let latch = Latch()
    return add(latch, for: number, isTaken: isTaken) ? latch : nil
  }

  /// Has a latch opened when the action settles.
  ///
  /// - Parameters:
  ///   - latch: The latch.
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it, so that no open work means it is settled.
  /// - Returns: Whether there is something to wait for.
  @usableFromInline
  func add(_ latch: Latch, for number: UInt64, isTaken: Bool) -> Bool {
    contents.withLock { contents in
      if isTaken, !contents.machine.isOpen(number) { return false }
      contents.waiters[number, default: ActionWaiters()].append(latch)
      return true
    }
  }

  /// Leaves the chain when an action settles that has yet to be taken.
  @usableFromInline
  func follow(_ number: UInt64, as member: ChainMember) {
    _ = add(Latch { member.leave() }, for: number, isTaken: false)
  }

  /// Drops a latch that nothing waits at any longer.
  func forget(_ latch: Latch, for number: UInt64) {
    contents.withLock { contents in
      contents.waiters[number]?.latches.remove(latch.id)
      if contents.waiters[number]?.count == 0 { _ = contents.takeWaiters(for: number) }
    }
  }

  // MARK: Twins

  /// A hook has made a further action of this one, which does not settle before it.
  ///
  /// - Parameters:
  ///   - twin: The number of the further one, which has yet to be taken.
  ///   - number: The action.
  ///   - latch: Opened when the further one has settled.
  @usableFromInline
  func include(_ twin: UInt64, in number: UInt64, _ latch: Latch) {
    contents.withLock { contents in
      contents.machine.include(twin, in: number)
      contents.waiters[twin, default: ActionWaiters()].append(latch)
    }
  }

  /// Further actions that a hook made of this one.
  func twins(of number: UInt64) -> [UInt64] { contents.withLock { $0.machine.twins(of: number) } }

  /// The action that a hook has made this one of, if it has; else this one.
  func origin(of number: UInt64) -> UInt64 {
    contents.withLock { $0.machine.origin(of: number) }
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func begin(_ number: UInt64, _ work: Work) {
    let slot = machine.beginEffect(number)
    work.slot = slot
    if slot == works.count { works.append(work) } else { works[slot] = work }
  }

  fileprivate mutating func end(_ number: UInt64, _ work: Work) -> Settled? {
    works[work.slot] = nil
    return machine.endEffect(work.slot, of: number).map { settle($0) }
  }

  fileprivate mutating func settle(_ settlement: WorkMachine.Settlement) -> Settled {
    // As the machine does with the slots.
    if settlement.isIdle, works.count > WorkMachine.room { works = [] }
    let latches = takeWaiters(for: settlement.action)
    return Settled(
      latches: settlement.isIdle ? latches + takeIdleWaiters() : latches,
      end: forget(settlement.forgotten))
  }

  func works(of number: UInt64) -> Few<Work> {
    var found = Few<Work>()
    for slot in machine.effects(of: number) {
      if let work = works[slot] { found.append(work) }
    }
    return found
  }

  mutating func takeWaiters(for number: UInt64) -> [Latch] {
    guard !waiters.isEmpty else { return [] }
    let latches = waiters.removeValue(forKey: number)?.latches.all ?? []
    if waiters.isEmpty { waiters = [:] }
    return latches
  }
}

/// What comes of an action having settled, to be seen to outside the ledger's lock.
struct Settled: Sendable {
  /// What waited.
  let latches: [Latch]
  /// What is forgotten for its outcome: an error goes with it, whose `deinit` may be any code.
  var end: ActionEnd?

  mutating func open() {
    end = nil
    for latch in latches { latch.open() }
  }
}

/// Those that wait for one action.
@usableFromInline
struct ActionWaiters: Sendable {
  var latches = IdentityList<Latch>()
  /// Whether one of them may be opened at the owner alone.
  @usableFromInline private(set) var opensAtOwner = false

  var count: Int { latches.count }

  mutating func append(_ latch: Latch) {
    latches.append(latch)
    if latch.opensAtOwner { opensAtOwner = true }
  }
}
