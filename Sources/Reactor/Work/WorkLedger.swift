import ReactorMachines
public import ReactorRuntime

/// An effect, as the ledger sees it: an object with a number.
///
/// It is not generic, so that the ledger is not generic either, and needs no specialisation.
///
/// `@unchecked`, because its number changes. Guard: the ledger's lock. What a subclass adds has the
/// guards that the subclass names.
@usableFromInline
class LedgerWork: @unchecked Sendable {
  /// Its number in the ledger.
  fileprivate(set) final var ledgerNumber: UInt64 = 0

  @usableFromInline
  init() {}
}

/// The work of actions: a ``WorkMachine``, the effects, the latches that wait for actions, and the
/// data of outcomes.
///
/// Contains `contents`, guarded by its own lock; latches are opened, and errors released, outside
/// it.
@usableFromInline
struct WorkLedger: ~Copyable, Sendable {
  struct Contents: Sendable {
    var machine = WorkMachine()
    /// The effects, by their numbers.
    var works: [UInt64: LedgerWork] = [:]
    var waiters: [UInt64: IdentityList<Latch>] = [:]
    /// The data of the outcomes that the machine knows.
    var ends: [UInt64: ActionOutcome] = [:]
    var idleWaiters = Boxed<IdleWaiters>()
  }

  let contents: Guarded<Contents>

  @usableFromInline
  init() { contents = Guarded(Contents()) }

  // MARK: Pieces

  /// Begins a piece of the action's work: an effect, if one is passed.
  @usableFromInline
  func begin(_ number: UInt64, _ work: LedgerWork? = nil) {
    contents.withLock { contents in
      guard let work else { return contents.machine.begin(number) }
      work.ledgerNumber = contents.machine.beginEffect(number)
      contents.works[work.ledgerNumber] = work
    }
  }

  /// Ends a piece of the action's work: an effect, if one is passed.
  ///
  /// - Returns: What waited for the action, if this was the last piece and the action has settled.
  @usableFromInline
  func end(_ number: UInt64, _ work: LedgerWork? = nil) -> Settled? {
    // A forgotten outcome is released before any latch is opened: it may contain an error, whose
    // `deinit` may run any code.
    contents.withLock { $0.end(number, work) }?.settled
  }

  /// The action has been taken.
  ///
  /// If it left no work behind, it has settled.
  ///
  /// - Returns: Whether anything waits for another action.
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
  func works(of number: UInt64) -> SmallList<LedgerWork> {
    contents.withLock { $0.works(of: number) }
  }

  /// The effects of all actions.
  @usableFromInline
  func works() -> [LedgerWork] {
    contents.withLock { contents in
      contents.machine.openActions.flatMap { contents.works(of: $0) }
    }
  }

  /// Whether no work is open.
  @usableFromInline var isEmpty: Bool { contents.withLock { $0.machine.isIdle } }

  @usableFromInline
  func isOpen(_ number: UInt64) -> Bool { contents.withLock { $0.machine.isOpen(number) } }

  // MARK: Waiting

  /// Returns a latch that opens when the action settles.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it. Then it has settled if it has no open work.
  /// - Returns: `nil` if there is nothing to wait for.
  @usableFromInline
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    let latch = Latch()
    return add(latch, for: number, isTaken: isTaken) ? latch : nil
  }

  /// Registers a latch that opens when the action settles.
  ///
  /// - Parameters:
  ///   - latch: The latch.
  ///   - number: The action.
  ///   - isTaken: Whether the reactor has taken it. Then it has settled if it has no open work.
  /// - Returns: Whether there is something to wait for.
  @usableFromInline
  func add(_ latch: Latch, for number: UInt64, isTaken: Bool) -> Bool {
    contents.withLock { contents in
      if isTaken, !contents.machine.isOpen(number) { return false }
      contents.waiters[number, default: IdentityList()].append(latch)
      return true
    }
  }

  /// Removes a latch for which nothing waits any longer.
  @usableFromInline
  func remove(_ latch: Latch, for number: UInt64) {
    contents.withLock { contents in
      _ = contents.waiters[number]?.remove(latch.id)
      if contents.waiters[number]?.isEmpty == true { _ = contents.takeWaiters(for: number) }
    }
  }

  // MARK: Further actions of a hook

  /// Records that a hook has made a further action of this one, which settles only after it.
  ///
  /// - Parameters:
  ///   - further: The number of the further action, which has not been taken yet.
  ///   - number: The action.
  ///   - latch: Opened when the further action has settled.
  @usableFromInline
  func addFurtherAction(_ further: UInt64, of number: UInt64, _ latch: Latch) {
    contents.withLock { contents in
      contents.machine.addFurtherAction(further, of: number)
      contents.waiters[further, default: IdentityList()].append(latch)
    }
  }

  /// The further actions that a hook made of this one.
  func furtherActions(of number: UInt64) -> [UInt64] {
    contents.withLock { $0.machine.furtherActions(of: number) }
  }

  /// This action and its further ones.
  func actionAndFurther(of number: UInt64) -> [UInt64] { [number] + furtherActions(of: number) }

  /// The action of which a hook made this one; this one itself if no hook made it.
  @usableFromInline
  func origin(of number: UInt64) -> UInt64 {
    contents.withLock { $0.machine.origin(of: number) }
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func end(
    _ number: UInt64, _ work: LedgerWork?
  ) -> (settled: Settled, released: ActionOutcome?)? {
    let ended: WorkMachine.Settlement?
    if let work {
      works[work.ledgerNumber] = nil
      ended = machine.endEffect(work.ledgerNumber, of: number)
    } else {
      ended = machine.end(number)
    }
    guard let settlement = ended else { return nil }
    // Memory that a burst needed is freed.
    if settlement.isIdle, works.capacity > WorkMachine.retainedCapacity { works = [:] }
    let latches = takeWaiters(for: settlement.action)
    let settled = Settled(latches: settlement.isIdle ? latches + takeIdleWaiters() : latches)
    return (settled, forget(settlement.forgotten))
  }

  func works(of number: UInt64) -> SmallList<LedgerWork> {
    var found = SmallList<LedgerWork>()
    for effect in machine.effects(of: number) {
      if let work = works[effect] { found.append(work) }
    }
    return found
  }

  mutating func takeWaiters(for number: UInt64) -> [Latch] {
    guard !waiters.isEmpty else { return [] }
    let latches = waiters.removeValue(forKey: number)?.all ?? []
    if waiters.isEmpty { waiters = [:] }
    return latches
  }
}

/// The consequences of an action having settled, which have to be carried out outside the ledger's
/// lock.
@usableFromInline
struct Settled: Sendable {
  /// The latches of what waited.
  let latches: [Latch]

  @usableFromInline
  func open() {
    for latch in latches { latch.open() }
  }
}
