import ReactorMachines
public import ReactorRuntime

/// An effect, as far as the ledger needs it: an object with a number.
///
/// Not generic, so that the ledger is not, and none of its code has to be specialised.
@usableFromInline
class LedgerWork: @unchecked Sendable {
  /// Its number in the ledger.
  ///
  /// Guard: the ledger's lock.
  fileprivate(set) final var ledgerNumber: UInt64 = 0

  @usableFromInline
  init() {}
}

/// The work of actions: a ``WorkMachine``, with the effects, what waits for actions, and what goes
/// with their outcomes.
///
/// Holds: `contents`, guarded by its own lock; latches are opened, and errors released, outside it.
@usableFromInline
struct WorkLedger: ~Copyable, Sendable {
  struct Contents: Sendable {
    var machine = WorkMachine()
    /// The effects, by their numbers.
    var works: [UInt64: LedgerWork] = [:]
    var waiters: [UInt64: IdentityList<Latch>] = [:]
    /// What goes with the outcomes that the machine knows.
    var ends: [UInt64: ActionOutcome] = [:]
    var idleWaiters = Boxed<IdleWaiters>()
  }

  let contents: Guarded<Contents>

  @usableFromInline
  init() { contents = Guarded(Contents()) }

  // MARK: Pieces

  /// A piece of the action's work has begun: an effect, where one is given.
  @usableFromInline
  func begin(_ number: UInt64, _ work: LedgerWork? = nil) {
    contents.withLock { contents in
      guard let work else { return contents.machine.begin(number) }
      work.ledgerNumber = contents.machine.beginEffect(number)
      contents.works[work.ledgerNumber] = work
    }
  }

  /// A piece of the action's work has ended: an effect, where one is given.
  ///
  /// - Returns: What waited for the action, if this was the last piece, and it has settled.
  @usableFromInline
  func end(_ number: UInt64, _ work: LedgerWork? = nil) -> Settled? {
    // What is forgotten for the outcome is released before anything is opened: an error goes with
    // it, whose `deinit` may be any code.
    contents.withLock { $0.end(number, work) }?.settled
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
  func works(of number: UInt64) -> Few<LedgerWork> { contents.withLock { $0.works(of: number) } }

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
      contents.waiters[number, default: IdentityList()].append(latch)
      return true
    }
  }

  /// Drops a latch that nothing waits at any longer.
  @usableFromInline
  func forget(_ latch: Latch, for number: UInt64) {
    contents.withLock { contents in
      _ = contents.waiters[number]?.remove(latch.id)
      if contents.waiters[number]?.isEmpty == true { _ = contents.takeWaiters(for: number) }
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
      contents.waiters[twin, default: IdentityList()].append(latch)
    }
  }

  /// Further actions that a hook made of this one.
  func twins(of number: UInt64) -> [UInt64] { contents.withLock { $0.machine.twins(of: number) } }

  /// This action, and the further ones.
  func family(of number: UInt64) -> [UInt64] { [number] + twins(of: number) }

  /// The action that a hook has made this one of, if it has; else this one.
  @usableFromInline
  func origin(of number: UInt64) -> UInt64 {
    contents.withLock { $0.machine.origin(of: number) }
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func end(
    _ number: UInt64, _ work: LedgerWork?
  ) -> (settled: Settled, gone: ActionOutcome?)? {
    let ended: WorkMachine.Settlement?
    if let work {
      works[work.ledgerNumber] = nil
      ended = machine.endEffect(work.ledgerNumber, of: number)
    } else {
      ended = machine.end(number)
    }
    guard let settlement = ended else { return nil }
    // After a burst, its memory is given back.
    if settlement.isIdle, works.capacity > WorkMachine.room { works = [:] }
    let latches = takeWaiters(for: settlement.action)
    let settled = Settled(latches: settlement.isIdle ? latches + takeIdleWaiters() : latches)
    return (settled, forget(settlement.forgotten))
  }

  func works(of number: UInt64) -> Few<LedgerWork> {
    var found = Few<LedgerWork>()
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

/// What comes of an action having settled, to be seen to outside the ledger's lock.
@usableFromInline
struct Settled: Sendable {
  /// What waited.
  let latches: [Latch]

  @usableFromInline
  func open() {
    for latch in latches { latch.open() }
  }
}
