public import ReactorMachines
import Synchronization

/// Waiting for an action: until its own work has ended, or until its turn is over.
extension PipelineCore {
  @inlinable
  nonisolated(nonsending) func waitUntilSettled(_ number: UInt64) async {
    if Self.isJournaled { return await waitUntilKept(number) }
    if let latch = await latch(for: number) { await wait(at: latch, for: number) }
  }

  @usableFromInline
  nonisolated(nonsending) func wait(at latch: Latch, for number: UInt64) async {
    await latch.wait()
    ledger.forget(latch, for: number)
  }

  @usableFromInline
  nonisolated(nonsending) func waitUntilAllSettled(in life: UInt32) async {
    if let latch = inbox.latchForEnd(of: life) {
      await latch.wait()
      // Opened by a cancellation, it would stay for as long as the reactor lasts.
      if Task.isCancelled { return inbox.forget(latch) }
    }
    guard let parts = partsIfMade else { return }
    let latch = Latch()
    parts.pointee.ledger.whenIdle(latch)
    // All work of a generation has ended before another one begins.
    if inbox.life.generation == life { await latch.wait() }
    parts.pointee.ledger.forget(latch)
  }

  @inlinable
  nonisolated(nonsending) func latch(for number: UInt64) async -> Latch? {
    guard let reactor else { return latchForLeftWork(of: number) }
    return await latch(for: number, on: reactor)
  }

  /// The reactor is gone, and its cancelled effects may have something to clean up.
  @usableFromInline
  func latchForLeftWork(of number: UInt64) -> Latch? {
    partsIfMade?.pointee.ledger.latch(for: number, isTaken: true)
  }

  /// The one who waits drains the inbox itself, if the action is near: no thread has to be woken.
  ///
  /// Not inside a turn, where an effect on the reactor may be that has yet to suspend: it would go
  /// on before what it has been sent.
  @inlinable
  func latch(for number: UInt64, on reactor: isolated R) -> Latch? {
    takeUpTo(number, asJob: false, on: reactor)
    // Its turn may be under way: an effect asks before it has suspended, or a hook holds the turn
    // up.
    let isTaken = number < own.taken && number != taking
    // Mostly nothing has ever been open.
    if isTaken, partsIfMade == nil { return nil }
    guard let latch = ledger.latch(for: number, isTaken: isTaken) else { return nil }
    watch(for: number)
    return latch
  }

  /// Takes the turns up to an action, for somebody who waits for it.
  ///
  /// Where there is no job that would do it otherwise, the caller stands in for one: in the end it
  /// makes one if there is more to do.
  @inlinable
  func takeUpTo(_ number: UInt64, asJob isJob: Bool, on reactor: isolated R) {
    start(on: reactor)
    if !own.isTaking, !Self.hasMutationHook || phase == .stubbed, number >= own.taken,
      number - own.taken < UInt64(Self.turnsAtATime), !SimulatedExecutor.isActive
    {
      own.isBorrowed = true
      _ = takeTurns(upTo: Int(number - own.taken) + 1, endingJob: false, on: reactor)
      own.isBorrowed = false
    }
    if isJob { endJob(on: reactor) }
  }

  /// Ends the job that somebody has stood in for; where there is more to do, one is made.
  @inlinable
  func endJob(on reactor: isolated R) {
    guard !own.isTaking, own.batch.isEmpty, !hasReady, !refill(endingJob: true) else {
      return wake(reactor)
    }
    // After the inbox, as in any job: whoever left something since may have counted on this one.
    readMail(on: reactor)
    if isEndDue { return endReached(on: reactor) }
    tidy(on: reactor)
  }

  /// The inbox has been closed: the end is for a job to bring about.
  @usableFromInline
  func endReached(on reactor: isolated R) {
    if inbox.requestJob() { wake(reactor) }
  }

  /// Waits until an action has been taken and, where that may be later, performed.
  func waitUntilPerformed(_ number: UInt64) async {
    if await !isPerformed(number) { await waitUntilSettled(number) }
  }

  /// The reactor is held only to ask it, not for as long as an action waits.
  private func isPerformed(_ number: UInt64) async -> Bool {
    guard let reactor else { return true }
    return await isPerformed(number, on: reactor)
  }

  private func isPerformed(_ number: UInt64, on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard !Self.hasTurnHook, !SimulatedExecutor.isActive else {
      return false
    }
    own.isBorrowed = true
    while number >= own.taken, takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor) {}
    own.isBorrowed = false
    return number < own.taken && details.lanes.parked[number] == nil
  }

  // MARK: With an output stage

  /// Waits for an action, and then until what had been reduced by its end may be known.
  @inlinable
  nonisolated(nonsending) func waitUntilKept(_ number: UInt64) async {
    guard let reactor else {
      if let latch = latchForLeftWork(of: number) { await wait(at: latch, for: number) }
      return
    }
    guard let (latch, isOfWork) = await nextWait(for: number, on: reactor) else { return }
    guard isOfWork else { return await latch.wait() }
    await wait(at: latch, for: number)
    try? await passStage()
  }

  /// What to wait for, found in one visit: mostly the work has ended.
  @inlinable
  func nextWait(for number: UInt64, on reactor: isolated R) -> (latch: Latch, isOfWork: Bool)? {
    if let latch = latch(for: number, on: reactor) { return (latch, true) }
    return outputStage?.latch(isAsked: false).map { ($0, false) }
  }
}

extension PipelineCore: StoppablePipeline {
  func isEverythingSettled(in life: UInt32) -> Bool {
    inbox.life.generation != life || inbox.life.hasEnded && hasNoWork
  }

  /// Whether no work is open.
  var hasNoWork: Bool { partsIfMade?.pointee.ledger.isEmpty ?? true }

  func waitForEnd(of life: UInt32) async { await inbox.latchForEnd(of: life)?.wait() }

  func abandoned(in life: UInt32) -> [OpenAction] {
    let abandoned = partsIfMade?.pointee.shared.withLock { $0.rare.abandoned }
    return abandoned?.generation == life ? abandoned?.actions ?? [] : []
  }
}
