import ReactorMachines
import ReactorRuntime

/// The work of a reactor that ends.
extension WorkLedger {
  /// Opens a latch as soon as no work is open, which may be immediately.
  func openWhenIdle(_ latch: Latch) {
    let isIdle = contents.withLock { contents in
      if !contents.machine.isIdle { contents.idleWaiters.value.latches.append(latch) }
      return contents.machine.isIdle
    }
    if isIdle { latch.open() }
  }

  /// Removes a latch for which nothing waits any longer.
  func remove(_ latch: Latch) {
    contents.withLock { _ = $0.idleWaiters.value.latches.remove(latch.id) }
  }

  /// The reactor is released: from now on, only running effects, which are cancelled, are waited
  /// for.
  ///
  /// - Parameter excluded: The number for work that runs elsewhere, whose end is reported by what
  ///   runs it.
  @usableFromInline
  func abandon(except excluded: UInt64) {
    let (latches, released) = contents.withLock { $0.abandon(except: excluded) }
    for latch in latches { latch.open() }
    withExtendedLifetime(released) {}
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func abandon(except excluded: UInt64) -> ([Latch], [ActionOutcome?]) {
    // Usually there is no work, and nothing waits.
    if machine.isIdle, waiters.isEmpty, idleWaiters.isEmpty { return ([], []) }
    var released: [ActionOutcome?] = []
    for action in machine.openActions { released.append(note(.reactorEnded, of: action)) }
    let settlements = machine.abandon(except: excluded, keepingBelow: HookActionNumber.first)
    for settlement in settlements { released.append(forget(settlement.forgotten)) }
    // As when an action settles.
    if machine.isIdle, works.capacity > WorkMachine.retainedCapacity { works = [:] }
    let settledActions = waiters.keys.filter { !machine.isOpen($0) }.sorted()
    let latches = settledActions.flatMap { takeWaiters(for: $0) }
    return (latches + (machine.isIdle ? takeIdleWaiters() : []), released)
  }

  /// No work is open now.
  mutating func takeIdleWaiters() -> [Latch] {
    if idleWaiters.isEmpty { return [] }
    defer { idleWaiters = Boxed() }
    return idleWaiters.value.latches.all
  }
}

/// The latches that wait for a moment at which no work is open.
struct IdleWaiters: EmptyInitializable {
  var latches = IdentityList<Latch>()

  var isEmpty: Bool { latches.isEmpty }
}
