/// How actions end: what receipts tell.
extension PipelineCore {
  /// Why an action has been refused that was accepted, if it has and that is still known: by its
  /// lane, or because no journal has opened the reactor.
  func refusal(of number: UInt64) -> ActionRefusal? {
    if case .refused(let refusal) = partsIfMade?.pointee.ledger.end(of: number) {
      return refusal
    }
    return nil
  }

  nonisolated(nonsending) func outcome(of number: UInt64) async -> ActionOutcome {
    // Before it waits: from here on the end is kept for this one, whatever else may happen.
    askOutcome(of: number)
    return await outcomeAskedFor(of: number)
  }

  /// How an action ended, for one whose question is in the book already.
  @inlinable
  nonisolated(nonsending) func outcomeAskedFor(of number: UInt64) async -> ActionOutcome {
    await waitUntilSettled(number)
    // Waiting ends early in a task that has been cancelled.
    let isSettled = Task.isCancelled ? await isSettled(number) : true
    let loss = reactor == nil ? loss(of: number) : nil
    let outcome = ledger.answer(number)
    guard isSettled else { return .open }
    if Self.isJournaled, outcome.isFinished, let failed = await failureOfStage() { return failed }
    return outcome.isFinished ? loss ?? outcome : outcome
  }

  /// What has kept a mutation before this from being kept, if something has.
  @usableFromInline
  nonisolated(nonsending) func failureOfStage() async -> ActionOutcome? {
    do {
      try await passStage()
      return nil
    } catch {
      return sharedOutputStage?.failure.map { .failed($0) } ?? .open
    }
  }

  /// Whether all of an action's work has ended.
  @usableFromInline
  nonisolated(nonsending) func isSettled(_ number: UInt64) async -> Bool {
    guard let reactor else { return partsIfMade?.pointee.ledger.isOpen(number) != true }
    return await isSettled(number, on: reactor)
  }

  private func isSettled(_ number: UInt64, on reactor: isolated R) -> Bool {
    number < own.taken && number != taking
      && partsIfMade?.pointee.ledger.isOpen(number) != true
  }

  /// Whether the reactor, which is gone, never took an action, or went in the middle of its work;
  /// `nil` if neither.
  @usableFromInline
  func loss(of number: UInt64) -> ActionOutcome? {
    // The lock comes after all that the reactor did; it takes nothing any more.
    let taken = inbox.contents.withLock { _ in own.taken }
    if number >= taken { return .neverBegun }
    return ledger.isOpen(number) ? .reactorEnded : nil
  }
}

extension ActionOutcome {
  /// What the work that never started has come to, in the lane of this record.
  @usableFromInline
  init(_ problem: ReactorReport.Problem?, in record: LaneRecord) {
    let lane = record.lane.key
    switch problem {
    case .laneFull: self = .refused(.laneFull(lane))
    case .droppedInLane: self = .dropped(lane)
    case .supersededInLane: self = .superseded(lane)
    default: self = .cancelled
    }
  }
}
