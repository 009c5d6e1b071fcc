/// Whoever waits at a journaled reactor's gate until what has been reduced by then has been kept.
extension PipelineCore {
  /// Returns once all that has been reduced by now has been kept.
  ///
  /// - Parameter isAsked: Whether somebody asks for that in so many words, whatever the level says.
  /// - Returns: Whether it has been; false where the store failed, or the task was cancelled.
  @usableFromInline
  nonisolated(nonsending) func passGate(isAsked: Bool = false) async -> Bool {
    guard let gate else { return true }
    if let reactor, let latch = await gateLatch(gate, isAsked: isAsked, on: reactor) {
      await latch.wait()
      if Task.isCancelled { return false }
    }
    return gate.failure == nil
  }

  /// Passes the gate, for one who has to know why not.
  @usableFromInline
  nonisolated(nonsending) func passGateOrThrow(isAsked: Bool = false) async throws {
    if await passGate(isAsked: isAsked) { return }
    throw gate?.failure ?? CancellationError()
  }

  /// Passes the gate, for one who asks, and may have no more time to wait.
  nonisolated(nonsending) func passGate(asked number: UInt64, within limit: AskLimit?) async throws
  {
    guard let limit, let gate, !gate.keeper.isBehind else { return try await passGateOrThrow() }
    if let reactor, let latch = await gateLatch(gate, isAsked: true, on: reactor) {
      let timer = AskTimer(limit, opening: latch)
      await latch.wait()
      if timer.hasRung() { throw AskError(identity, number, .timedOut(limit.limit)) }
      if Task.isCancelled { throw gate.failure ?? CancellationError() }
    }
    if let failure = gate.failure { throw failure }
  }

  private func gateLatch(
    _ gate: PipelineGate<R>, isAsked: Bool, on reactor: isolated R
  ) -> Latch? { gate.latch(isAsked: isAsked) }

  /// Leaves the chain when an action has settled and what it did has been kept.
  @usableFromInline
  func followBehindGate(_ number: UInt64, as member: ChainMember) {
    let latch = Latch { [weak self] in
      guard let self else { return member.leave() }
      PipelineTasks.make {
        _ = await self.passGate()
        member.leave()
      }
    }
    _ = ledger.add(latch, for: number, isTaken: false)
  }

  /// Answers a question; any other error is left to the caller.
  @usableFromInline
  nonisolated(nonsending) func answers(_ error: any Error, of run: Run) async -> Bool {
    guard let question = error as? DurabilityQuestion else { return false }
    guard Self.isJournaled else { return true }
    do {
      if run.isCancelled { throw CancellationError() }
      try await passGateOrThrow(isAsked: true)
    } catch {
      question.answer.withLock { $0 = .failure(error) }
    }
    return true
  }
}
