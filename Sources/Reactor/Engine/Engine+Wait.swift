import ReactorMachines
public import ReactorRuntime
import Synchronization

/// Waiting for an action: until its own work has ended, for how it ended, or for its answer.
extension Engine {
  /// Asks the reactor something, which is held no longer than that.
  ///
  /// - Returns: What it said; `nil` if it is gone.
  @usableFromInline
  nonisolated(nonsending) func visit<Answer: Sendable>(
    _ question: @Sendable (isolated R) -> Answer
  ) async -> Answer? {
    guard let reactor else { return nil }
    return await question(reactor)
  }

  // MARK: Settled

  @inlinable
  nonisolated(nonsending) func waitUntilSettled(_ number: UInt64) async {
    var latch: Latch?
    if let reactor {
      latch = await self.latch(for: number, on: reactor)
    } else {
      // Its cancelled effects may have something to clean up.
      latch = partsIfMade?.pointee.ledger.latch(for: number, isTaken: true)
    }
    if let latch {
      await latch.wait()
      ledger.forget(latch, for: number)
    }
    // Until what had been reduced by its end may be known.
    if Self.isJournaled { try? await passStage() }
  }

  /// The task that waits drains the inbox itself, if the action is near: no thread has to be woken.
  @inlinable
  func latch(for number: UInt64, on reactor: isolated R) -> Latch? {
    takeUpTo(number, asJob: false, on: reactor)
    let isTaken = isTaken(number)
    // Mostly nothing has ever been open.
    if isTaken, partsIfMade == nil { return nil }
    guard let latch = ledger.latch(for: number, isTaken: isTaken) else { return nil }
    watch(for: number)
    return latch
  }

  /// Whether an action's turn is over.
  ///
  /// It may be under way: an effect asks before it has suspended, or a hook holds the turn up.
  @inlinable
  func isTaken(_ number: UInt64) -> Bool { number < own.taken && number != taking }

  // MARK: Outcomes

  /// How an action ended, for a caller whose question is in the ledger already.
  @inlinable
  nonisolated(nonsending) func outcomeAskedFor(of number: UInt64) async -> ActionOutcome {
    await waitUntilSettled(number)
    // Waiting ends early in a task that has been cancelled.
    let isSettled = Task.isCancelled ? await isSettled(number) : true
    var loss: ActionOutcome?
    if reactor == nil {
      // The lock comes after all that the reactor did; it takes nothing any more.
      let taken = inbox.contents.withLock { _ in own.taken }
      loss = number >= taken ? .neverBegun : ledger.isOpen(number) ? .reactorEnded : nil
    }
    let outcome = ledger.answer(number)
    guard isSettled else { return .open }
    guard outcome.isFinished else { return outcome }
    if Self.isJournaled {
      do {
        try await passStage()
      } catch {
        // A mutation before this could not be kept.
        return sharedOutputStage?.failure.map { .failed($0) } ?? .open
      }
    }
    return loss ?? outcome
  }

  /// Whether all of an action's work has ended.
  @usableFromInline
  nonisolated(nonsending) func isSettled(_ number: UInt64) async -> Bool {
    let isTaken = await visit { _ in self.isTaken(number) } ?? true
    return isTaken && partsIfMade?.pointee.ledger.isOpen(number) != true
  }

  // MARK: Answers

  /// Waits for the answer, unless it is there, and closes the question of how the action ended;
  /// throws unless it was answered with a value.
  @usableFromInline
  nonisolated(nonsending) func answer(
    to number: UInt64, _ ask: Ask, within limit: AskLimit?, of reactor: R
  ) async throws -> any Sendable {
    let found = ask.take()
    ask.wasAsked(reactor, number)
    let ending: Ask.Ending
    if let found {
      ending = found
    } else {
      let latch = await follow(number, for: ask, on: reactor)
      let wait = await AskWaits.begin(of: AskingWork(self, number), ask)
      ending = await ask.wait(within: limit)
      if let wait { AskWaits.remove(wait) }
      if let latch { ledger.forget(latch, for: number) }
      shared.withLock { $0.rare.asks.close(number) }
    }
    // The turn that released the reply may not have noted yet why.
    if case .released = ending { _ = await visit { _ in } }
    let outcome = ledger.answer(number)
    if Self.isJournaled, ending.isOfReactor {
      try await passStage(within: limit, asked: number)
    }
    if case .answered(let answer) = ending { return try answer.get() }
    if ending.cancelsAction { cancel(number) }
    throw ending.error(identity, number, outcome)
  }

  /// The waiting ends when the reactor has ended, and when the action's work has, unless that has
  /// finished: then the reply may be in the state, or have been handed on.
  ///
  /// - Returns: What opens when the action settles.
  private func follow(_ number: UInt64, for ask: Ask, on reactor: isolated R) -> Latch? {
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
    watch(for: number)
    return latch
  }

  /// The asks that still wait end with the reactor.
  @usableFromInline
  func endAsked() {
    let taken = own.taken
    let waiting = rareIfMade { rare in
      rare.asks.isEmpty && !ledger.hasQuestions ? [] : rare.asks.end(afterTaking: taken)
    }
    for ask in waiting ?? [] { ask.end(.reactorEnded) }
  }
}

/// What the search for a circle of asks wants to know of a reactor.
extension Engine: AskedPipeline {
  @usableFromInline
  func holders(before number: UInt64) async -> [UInt64] {
    guard Self.hasLanes else { return [] }
    let holders = await visit { _ in
      self.ledger.family(of: number).lazy
        .map { self.details.lanes.holders(before: $0) }.first { !$0.isEmpty }
    }
    return (holders ?? nil) ?? []
  }

  @usableFromInline
  func name(of number: UInt64) async -> String? {
    let action = await visit { _ -> R.Action? in
      for one in self.ledger.family(of: number) {
        if let run = self.runs(of: one).first { return run.action }
        if Self.hasLanes, let parked = self.details.lanes.parked[one] { return parked.action }
      }
      return nil
    }
    return (action ?? nil).map { ReportText.name(of: $0) }
  }
}
