/// How actions end: what receipts tell.
extension PipelineCore {

  /// Whoever still waits to be answered is told that the reactor has ended.
  @usableFromInline
  func endAsked() {
    guard hasAskers else { return }
    let waiters = asks { book, only in book.reactorEnded(beside: only) }
    for waiter in waiters { waiter.end(.reactorEnded) }
  }

  /// Why an action has been refused that was accepted, if it has and that is still known: by its
  /// lane, or because no journal has opened the reactor.
  func refusal(of number: UInt64) -> ActionRefusal? {
    switch partsIfMade?.pointee.ledger.end(of: number) {
    case .refused(let lane): .laneFull(lane.key)
    case .notOpened: .notOpened
    default: nil
    }
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

extension ActionEnd {
  /// What the work that never started has come to, in the lane of this record.
  @usableFromInline
  init(_ problem: ReactorReport.Problem?, in record: LaneRecord) {
    switch problem {
    case .laneFull: self = .refused(record.name)
    case .droppedInLane: self = .dropped(record.name)
    case .supersededInLane: self = .superseded(record.name)
    default: self = .cancelled
    }
  }
}
