import ReactorMachines
public import ReactorRuntime
import Synchronization

/// Waiting for an action: until its own work has ended, for its outcome, or for its answer.
extension Engine {
  /// Runs a closure on the reactor, which is retained no longer than that.
  ///
  /// - Returns: The closure's result; `nil` if the reactor has been released.
  @usableFromInline
  nonisolated(nonsending) func withReactor<Result: Sendable>(
    _ body: @Sendable (isolated R) -> Result
  ) async -> Result? {
    guard let reactor else { return nil }
    return await body(reactor)
  }

  // MARK: Settled

  @inlinable
  nonisolated(nonsending) func waitUntilSettled(_ number: UInt64) async {
    var latch: Latch?
    if let reactor {
      latch = await self.latch(for: number, on: reactor)
    } else {
      // Its cancelled effects may have to clean up.
      latch = concurrentStateIfMade?.pointee.ledger.latch(for: number, isTaken: true)
    }
    if let latch {
      await latch.wait()
      ledger.remove(latch, for: number)
    }
    // Until what had been reduced by its end may be visible outside.
    if Self.isJournaled { try? await passStage() }
  }

  /// The waiting task drains the inbox itself, if the action is near, so that no thread has to be
  /// scheduled.
  @inlinable
  func latch(for number: UInt64, on reactor: isolated R) -> Latch? {
    takeUpTo(number, asJob: false, on: reactor)
    let isTaken = isTaken(number)
    // Usually no work has ever been open.
    if isTaken, concurrentStateIfMade == nil { return nil }
    guard let latch = ledger.latch(for: number, isTaken: isTaken) else { return nil }
    checkForWaiters(from: number)
    return latch
  }

  /// Whether an action's turn is over.
  ///
  /// The turn may be in progress: an effect asks before it has suspended, or a hook delays the
  /// turn.
  @inlinable
  func isTaken(_ number: UInt64) -> Bool { number < turnState.taken && number != taking }

  // MARK: Outcomes

  /// Returns how an action ended, for a caller that has requested the outcome from the ledger
  /// already.
  @inlinable
  nonisolated(nonsending) func requestedOutcome(of number: UInt64) async -> ActionOutcome {
    await waitUntilSettled(number)
    // Waiting ends early in a cancelled task.
    let isSettled = Task.isCancelled ? await isSettled(number) : true
    var loss: ActionOutcome?
    if reactor == nil {
      // Taking the lock orders this after all work of the reactor, which takes nothing any more.
      let taken = inbox.contents.withLock { _ in turnState.taken }
      loss = number >= taken ? .neverBegun : ledger.isOpen(number) ? .reactorEnded : nil
    }
    let outcome = ledger.takeOutcome(of: number)
    guard isSettled else { return .open }
    guard outcome.isFinished else { return outcome }
    if Self.isJournaled {
      do {
        try await passStage()
      } catch {
        // An earlier mutation could not be kept.
        return sharedOutputStage?.failure.map { .failed($0) } ?? .open
      }
    }
    return loss ?? outcome
  }

  /// Whether all of an action's work has ended.
  @usableFromInline
  nonisolated(nonsending) func isSettled(_ number: UInt64) async -> Bool {
    let isTaken = await withReactor { _ in self.isTaken(number) } ?? true
    return isTaken && concurrentStateIfMade?.pointee.ledger.isOpen(number) != true
  }

  // MARK: Answers

  /// Waits for the answer, unless there is one, and ends the request for the outcome; throws unless
  /// the ask was answered with a value.
  @usableFromInline
  nonisolated(nonsending) func answer(
    to number: UInt64, _ ask: Ask, within limit: AskLimit?, of reactor: R
  ) async throws -> any Sendable {
    let found = ask.take()
    ask.setAskedAction(reactor, number)
    let ending: Ask.Ending
    if let found {
      ending = found
    } else {
      let latch = await registerAsk(number, ask, on: reactor)
      let wait = await AskWaitGraph.begin(of: AskingWork(self, number), ask)
      ending = await ask.wait(within: limit)
      if let wait { AskWaitGraph.remove(wait) }
      if let latch { ledger.remove(latch, for: number) }
      shared.withLock { $0.rare.asks.close(number) }
    }
    // The turn that released the reply may not have noted the reason yet.
    if case .released = ending { _ = await withReactor { _ in } }
    let outcome = ledger.takeOutcome(of: number)
    if Self.isJournaled, ending.isReactorOutcome {
      try await passStage(within: limit, asked: number)
    }
    if case .answered(let answer) = ending { return try answer.get() }
    if ending.cancelsAction { cancel(number) }
    throw ending.error(identity, number, outcome)
  }

  /// Ends the waiting of an ask when the reactor ends, and when the action's work ends without
  /// having finished.
  ///
  /// If it finished, the reply may be in the state, or have been passed on.
  ///
  /// - Returns: The latch that opens when the action settles.
  private func registerAsk(_ number: UInt64, _ ask: Ask, on reactor: isolated R) -> Latch? {
    guard shared.withLock({ $0.rare.asks.open(ask, of: number) }) else {
      ask.end(.reactorEnded)
      return nil
    }
    let latch = Latch { [weak reactor] in
      if reactor?.pipeline.core.ledger.end(of: number) != nil { ask.end(.actionEnded) }
    }
    guard ledger.add(latch, for: number, isTaken: isTaken(number)) else {
      latch.open()
      return nil
    }
    checkForWaiters(from: number)
    return latch
  }

  /// The asks that still wait end with the reactor.
  @usableFromInline
  func endAsks() {
    let taken = turnState.taken
    let waiting = rareIfMade { rare in
      rare.asks.isEmpty && !ledger.hasOutcomeRequests ? [] : rare.asks.end(afterTaking: taken)
    }
    for ask in waiting ?? [] { ask.end(.reactorEnded) }
  }
}

/// The queries of deadlock detection between asks.
extension Engine: AskedPipeline {
  @usableFromInline
  func holders(before number: UInt64) async -> [UInt64] {
    guard Self.hasLanes else { return [] }
    let holders = await withReactor { _ in
      self.ledger.actionAndFurther(of: number).lazy
        .map { self.details.lanes.holders(before: $0) }.first { !$0.isEmpty }
    }
    return (holders ?? nil) ?? []
  }

  @usableFromInline
  func name(of number: UInt64) async -> String? {
    let action = await withReactor { _ -> R.Action? in
      for one in self.ledger.actionAndFurther(of: number) {
        if let run = self.runs(of: one).first { return run.action }
        if Self.hasLanes, let parked = self.details.lanes.parked[one] { return parked.action }
      }
      return nil
    }
    return (action ?? nil).map { ReportText.name(of: $0) }
  }
}
