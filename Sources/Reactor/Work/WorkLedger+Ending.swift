import ReactorMachines
import ReactorRuntime

/// How a reactor ends, as far as its work is concerned.
extension WorkLedger {
  /// Opens a latch as soon as nothing is open, which may be at once.
  func whenIdle(_ latch: Latch) {
    let isIdle = contents.withLock { contents in
      if !contents.machine.isIdle { contents.idleWaiters.value.latches.append(latch) }
      return contents.machine.isIdle
    }
    if isIdle { latch.open() }
  }

  /// Drops a latch that nothing waits at any longer.
  func forget(_ latch: Latch) {
    contents.withLock { _ = $0.idleWaiters.value.latches.remove(latch.id) }
  }

  /// The reactor is gone: only effects that run, cancelled, are waited for.
  ///
  /// - Parameter kept: The number of work that others do, and whose end they report.
  @usableFromInline
  func abandon(sparing kept: UInt64) {
    let (latches, gone) = contents.withLock { $0.abandon(sparing: kept) }
    for latch in latches { latch.open() }
    withExtendedLifetime(gone) {}
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func abandon(sparing kept: UInt64) -> ([Latch], [ActionOutcome?]) {
    // Mostly there is nothing, and nothing waits.
    if machine.isIdle, waiters.isEmpty, idleWaiters.isEmpty { return ([], []) }
    var gone: [ActionOutcome?] = []
    for action in machine.openActions { gone.append(note(.reactorEnded, of: action)) }
    let settlements = machine.abandon(sparing: kept, keepingBelow: UnsentNumber.first)
    for settlement in settlements { gone.append(forget(settlement.forgotten)) }
    // As when an action settles.
    if machine.isIdle, works.capacity > WorkMachine.room { works = [:] }
    let released = waiters.keys.filter { !machine.isOpen($0) }.sorted()
    let latches = released.flatMap { takeWaiters(for: $0) }
    return (latches + (machine.isIdle ? takeIdleWaiters() : []), gone)
  }

  /// Nothing is open now.
  mutating func takeIdleWaiters() -> [Latch] {
    if idleWaiters.isEmpty { return [] }
    defer { idleWaiters = Boxed() }
    return idleWaiters.value.latches.all
  }
}

/// What waits for a moment at which nothing is open.
struct IdleWaiters: Emptiable {
  var latches = IdentityList<Latch>()

  var isEmpty: Bool { latches.isEmpty }
}
