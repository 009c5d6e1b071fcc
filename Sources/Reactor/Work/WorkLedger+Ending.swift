import ReactorMachines

/// How a reactor ends, as far as its work is concerned.
extension WorkLedger {
  /// Which of the reactor's lives this is; the one place that counts them.
  @usableFromInline var life: UInt32 { contents.withLock { $0.life } }

  /// Whether this life has yet to end.
  func isGoingOn(_ life: UInt32) -> Bool {
    contents.withLock { $0.life == life && !$0.isStopped }
  }

  func isEverythingSettled(in life: UInt32) -> Bool {
    contents.withLock { $0.life != life || $0.isStopped && $0.machine.isIdle }
  }

  // MARK: Waiting

  /// A latch that opens when the reactor has stopped and all work has ended; `nil` if that is so.
  ///
  /// - Parameter life: Which of the reactor's lives is meant; one before this one has ended.
  /// - Returns: The latch, if there is something to wait for.
  func latchForEverything(in life: UInt32) -> Latch? {
    contents.withLock { contents in
      guard life == contents.life, !contents.isStopped || !contents.machine.isIdle else {
        return nil
      }
      let latch = Latch()
      contents.stopBook.stopWaiters.append(latch)
      return latch
    }
  }

  /// Opens a latch as soon as nothing is open, which may be at once.
  func whenIdle(_ latch: Latch) {
    let isIdle = contents.withLock { contents in
      if !contents.machine.isIdle { contents.stopBook.idleWaiters.append(latch) }
      return contents.machine.isIdle
    }
    if isIdle { latch.open() }
  }

  /// A latch that opens when the end has come; `nil` if it has.
  func latchForEnd(of life: UInt32) -> Latch? {
    contents.withLock { contents in
      guard life == contents.life, !contents.isStopped else { return nil }
      let latch = Latch()
      contents.stopBook.endWaiters.append(latch)
      return latch
    }
  }

  /// Drops a latch that nothing waits at any longer, for an end or for an idle moment.
  func forget(_ latch: Latch) {
    contents.withLock { contents in
      contents.stopBook.stopWaiters.remove(latch.id)
      contents.stopBook.idleWaiters.remove(latch.id)
    }
  }

  // MARK: The end

  /// Keeps what the end is about to cut short.
  func willAbandon(_ actions: [OpenAction]) {
    contents.withLock { contents in
      (contents.stopBook.life, contents.stopBook.abandoned) = (contents.life, actions)
    }
  }

  func abandoned(in life: UInt32) -> [OpenAction] {
    contents.withLock { contents in
      let book = contents.stopBook
      return book.life == life ? book.abandoned : []
    }
  }

  /// The reactor has stopped; nothing new begins.
  func stop() {
    let latches = contents.withLock { contents -> [Latch] in
      contents.isStopped = true
      return contents.takeEndWaiters()
        + (contents.machine.isIdle ? contents.takeStopWaiters() : [])
    }
    for latch in latches { latch.open() }
  }

  /// The reactor begins again: nothing waits for its end any longer.
  ///
  /// - Returns: The latches to be opened outside all locks.
  func restart() -> [Latch] {
    contents.withLock { contents in
      contents.isStopped = false
      contents.life += 1
      return contents.takeEndWaiters() + contents.takeStopWaiters()
    }
  }

  /// The reactor is gone: only effects that run, cancelled, are waited for.
  ///
  /// - Parameter kept: The number of work that others do, who will tell that it has ended.
  @usableFromInline
  func abandon(sparing kept: UInt64) {
    let (latches, gone) = contents.withLock { $0.abandon(sparing: kept) }
    for latch in latches { latch.open() }
    withExtendedLifetime(gone) {}
  }
}

extension WorkLedger.Contents {
  fileprivate mutating func abandon(sparing kept: UInt64) -> ([Latch], [ActionEnd?]) {
    isStopped = true
    // Mostly there is nothing, and nothing waits.
    if machine.isIdle, waiters.isEmpty, boxed.isEmpty { return ([], []) }
    var gone: [ActionEnd?] = []
    for action in machine.openActions { gone.append(note(.reactorEnded, of: action)) }
    for settlement in machine.abandon(sparing: kept) { gone.append(forget(settlement.forgotten)) }
    let released = waiters.keys.filter { !machine.isOpen($0) }.sorted()
    let latches = released.flatMap { takeWaiters(for: $0) }
    return (latches + (machine.isIdle ? takeIdleWaiters() : []) + takeEndWaiters(), gone)
  }

  /// Nothing is open now.
  mutating func takeIdleWaiters() -> [Latch] {
    let idle = stopBook.idleWaiters.all
    stopBook.idleWaiters = IdentityList()
    return isStopped ? idle + takeStopWaiters() : idle
  }

  fileprivate mutating func takeEndWaiters() -> [Latch] {
    defer { stopBook.endWaiters = IdentityList() }
    return stopBook.endWaiters.all
  }

  fileprivate mutating func takeStopWaiters() -> [Latch] {
    defer { stopBook.stopWaiters = IdentityList() }
    return stopBook.stopWaiters.all
  }
}
