public import ReactorMachines

/// Asking: accepting an action that carries a reply, and waiting for the answer.
extension PipelineCore: AskedPipeline {
  // MARK: Sending

  /// Accepts an action; before it can be dequeued, its outcome is asked for.
  ///
  /// - Returns: What became of it, and whether the caller stands in for the job that takes it.
  @inlinable
  func acceptWithReply(
    _ action: R.Action, for reactor: R
  ) -> (kind: ActionReceipt<R>.Kind, isJob: Bool) {
    AskWaits.begin()
    let context = contextOfSender()
    let admission = inbox.admit(action, with: context) { ledger.ask($0) }
    return kindOrJob(of: admission, of: action, with: context, to: reactor)
  }

  @usableFromInline
  func refused(_ kind: ActionReceipt<R>.Kind) -> AskError {
    AskError(identity, nil, .refused(ActionReceipt(self, kind).refusal ?? .stopped))
  }

  // MARK: Waiting

  /// Waits for the answer, unless it is there.
  @inlinable
  nonisolated(nonsending) func answer(
    to number: UInt64, _ ask: Ask, within limit: AskLimit?, of reactor: R
  ) async throws -> any Sendable {
    let ending: Ask.Ending
    if let found = ask.take() {
      ending = found
    } else {
      ending = await wait(for: number, ask, within: limit, of: reactor)
    }
    ask.wasAsked(reactor, number)
    return try await conclude(number, ending, within: limit)
  }

  @usableFromInline
  nonisolated(nonsending) func wait(
    for number: UInt64, _ ask: Ask, within limit: AskLimit?, of reactor: R
  ) async -> Ask.Ending {
    ask.wasAsked(reactor, number)
    let latch = await follow(number, for: ask, on: reactor)
    let timer = limit.map { limit in
      PipelineTasks.inheriting {
        guard (try? await limit.sleep()) != nil else { return }
        ask.end(.timedOut(limit.limit))
      }
    }
    let wait = await lookForCircle(number, ask)
    let ending = await ask.wait()
    if let wait { AskWaits.remove(wait) }
    timer?.cancel()
    if let latch { ledger.forget(latch, for: number) }
    shared.withLock { $0.rare.asks[number] = nil }
    return ending
  }

  /// The waiting ends when the reactor has ended, and when the action's work has, unless that has
  /// finished: then the reply may be in the state, or have been handed on.
  ///
  /// - Returns: What opens when the action settles.
  private func follow(_ number: UInt64, for ask: Ask, on reactor: isolated R) -> Latch? {
    let isOver = shared.withLock { shared in
      if number < shared.rare.takenAtEnd { return true }
      shared.rare.asks[number] = ask
      return false
    }
    if isOver {
      ask.end(.reactorEnded)
      return nil
    }
    let latch = Latch { [weak reactor] in reactor?.pipeline.core.settledAsked(number, ask) }
    let isTaken = number < own.taken && number != taking
    guard ledger.add(latch, for: number, isTaken: isTaken) else {
      settledAsked(number, ask)
      return nil
    }
    watch(for: number)
    return latch
  }

  private func settledAsked(_ number: UInt64, _ ask: Ask) {
    if ledger.end(of: number) != nil { ask.end(.actionEnded) }
  }

  /// Closes the question of how the action ended; throws unless it was answered with a value.
  @usableFromInline
  nonisolated(nonsending) func conclude(
    _ number: UInt64, _ ending: Ask.Ending, within limit: AskLimit?
  ) async throws -> any Sendable {
    // The turn that released the reply may not have noted yet why.
    if case .released = ending { await afterTurn() }
    let outcome = ledger.answer(number)
    if Self.isJournaled, ending.isOfReactor {
      try await passStage(within: limit, asked: number)
    }
    switch ending {
    case .answered(let answer): return try answer.get()
    case .released, .actionEnded: throw error(for: outcome, else: .released, of: number)
    case .reactorEnded: throw error(for: outcome, else: .reactorEnded, of: number)
    case .askerCancelled:
      cancel(number)
      throw CancellationError()
    case .timedOut(let limit):
      cancel(number)
      throw AskError(identity, number, .timedOut(limit))
    case .circle(let steps):
      cancel(number)
      throw AskError(identity, number, .circle(steps))
    }
  }

  /// What there is instead of an answer, by how the action has ended, if that is known.
  private func error(
    for outcome: ActionOutcome, else reason: ActionOutcome, of number: UInt64
  ) -> any Error {
    // How an effect says no is an answer, whatever else has happened to the reply.
    switch outcome {
    case .failed(let error as any ExpectedError): return error
    case .droppedByMiddleware(let error as any ExpectedError): return error
    case .finished, .open, .forgotten: return AskError(identity, number, reason)
    default: return AskError(identity, number, outcome)
    }
  }

  /// Returns once the turn under way is over.
  private nonisolated(nonsending) func afterTurn() async {
    if let reactor { await passBy(on: reactor) }
  }

  private func passBy(on reactor: isolated R) async {}

  // MARK: The end

  /// The asks that still wait end with the reactor.
  @usableFromInline
  func endAsked() {
    guard let parts = partsIfMade else { return }
    let taken = own.taken
    let waiting = parts.pointee.shared.withLock { shared -> [UInt64: Ask] in
      guard !shared.rare.asks.isEmpty || ledger.hasQuestions else { return [:] }
      shared.rare.takenAtEnd = taken
      defer { shared.rare.asks = [:] }
      return shared.rare.asks
    }
    for (_, ask) in waiting.sorted(by: { $0.key < $1.key }) { ask.end(.reactorEnded) }
  }

  /// Whether any ask is open.
  var hasAskers: Bool {
    guard let parts = partsIfMade else { return false }
    return ledger.hasQuestions || parts.pointee.shared.withLock { !$0.rare.asks.isEmpty }
  }
}
