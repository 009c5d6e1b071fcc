public import ReactorMachines

/// Asking: accepting an action that carries a reply, and waiting for the answer.
extension PipelineCore: AskedPipeline {
  // MARK: Sending

  /// Accepts an action; before it can be dequeued, the book says that its answer is awaited.
  ///
  /// - Returns: What became of it, and whether the caller stands in for the job that takes it.
  @inlinable
  func acceptWithReply(
    _ action: R.Action, for reactor: R
  ) -> (kind: ActionReceipt<R>.Kind, isJob: Bool) {
    let context = contextOfSender()
    let admission = inbox.admit(action, with: context) { openAsked($0) }
    return kindOrJob(of: admission, of: action, with: context, to: reactor)
  }

  @usableFromInline
  func refused(_ kind: ActionReceipt<R>.Kind) -> AskError {
    AskError(identity, nil, .refused(ActionReceipt(self, kind).refusal ?? .stopped))
  }

  /// - Returns: Who will be told; `nil` if it has been answered.
  @usableFromInline
  func beginWaiting(
    _ number: UInt64, _ token: ReplyToken?, on reactor: isolated R
  ) -> AskWaiter? {
    guard let waiter = token?.beginWaiting(number, of: self) else { return nil }
    follow(number, for: waiter, on: reactor)
    return waiter
  }

  /// The answer that has come before anybody had to wait.
  @inlinable
  func answer<Value: Sendable>(to number: UInt64, in token: inout ReplyToken?) throws -> Value {
    // Whoever still has a copy may answer again, and so may somebody have done already.
    let isOurs = isKnownUniquelyReferenced(&token) && token?.isPlain == true
    guard let result: Result<Value, any Error> = token?.take(renewing: isOurs) else {
      preconditionFailure("a reply has a token")
    }
    closeAsked(number, &token, isOurs: isOurs)
    return try result.get()
  }

  /// Whoever waits is told when the reactor has ended, and when the action's work has, unless that
  /// has finished: then the reply may be in the state, or with somebody else.
  @usableFromInline
  func follow(_ number: UInt64, for waiter: AskWaiter, on reactor: isolated R) {
    if asks({ book, only in book.tell(waiter, endOf: number, beside: only) }) {
      return waiter.end(.reactorEnded)
    }
    let latch = Latch { [weak reactor] in reactor?.pipeline.core.settledAsked(number, waiter) }
    let isTaken = number < own.taken && number != taking
    if ledger.add(latch, for: number, isTaken: isTaken) {
      watch(for: number)
      waiter.keep(latch)
    } else {
      settledAsked(number, waiter)
    }
  }

  private func settledAsked(_ number: UInt64, _ waiter: AskWaiter) {
    let end = asks { book, only in book.end(of: number, beside: only) }
    if end != nil { waiter.end(.actionEnded) }
  }

  // MARK: Waiting

  @usableFromInline
  nonisolated(nonsending) func wait(
    for number: UInt64, _ waiter: AskWaiter, within limit: AskLimit? = nil
  ) async throws {
    let timer = limit.map { limit in
      PipelineTasks.inheriting {
        guard (try? await limit.sleep()) != nil else { return }
        waiter.end(.timedOut(limit.limit))
      }
    }
    let wait = await lookForCircle(number, waiter)
    let ending = await waiter.wait()
    if let wait { AskWaits.remove(wait) }
    timer?.cancel()
    if let latch = waiter.takeLatch() { ledger.forget(latch, for: number) }
    try await conclude(number, ending, within: limit)
  }

  /// Closes the book on an ask; throws unless it was answered with a value.
  private nonisolated(nonsending) func conclude(
    _ number: UInt64, _ ending: AskWaiter.Ending, within limit: AskLimit?
  ) async throws {
    // The turn that let go of the reply may not have written down yet why.
    if case .released = ending { await afterTurn() }
    let end = closeAsked(number)
    if Self.isJournaled, ending.isOfReactor {
      try await passStage(within: limit, asked: number)
    }
    switch ending {
    case .answered: return
    case .failed(let error): throw error
    case .released, .actionEnded: throw error(for: end, else: .released, of: number)
    case .reactorEnded: throw error(for: end, else: .reactorEnded, of: number)
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
    for end: ActionEnd?, else reason: AskError.Reason, of number: UInt64
  ) -> any Error {
    // How an effect says no is an answer, whatever else has happened to the reply.
    switch end {
    case .failed(let error as any ExpectedError): return error
    case .droppedByMiddleware(let error as any ExpectedError): return error
    default: return AskError(identity, number, end.map { .init($0) } ?? reason)
    }
  }

  /// Returns once the turn under way is over.
  private nonisolated(nonsending) func afterTurn() async {
    if let reactor { await passBy(on: reactor) }
  }

  private func passBy(on reactor: isolated R) async {}

  /// What has been answered may be told once the mutations before it are kept.
  @usableFromInline
  nonisolated(nonsending) func passStageAsked(
    _ number: UInt64, _ token: inout ReplyToken?, within limit: AskLimit? = nil
  ) async throws {
    do {
      try await passStage(within: limit, asked: number)
    } catch {
      closeAsked(number, &token, isOurs: false)
      throw error
    }
  }

  // MARK: The book

  @inlinable
  func openAsked(_ number: UInt64) {
    AskWaits.begin()
    if !parts.pointee.onlyAsk.open(number) { openOther(number) }
  }

  @usableFromInline
  func openOther(_ number: UInt64) {
    asks { book, _ in book.open(number) }
  }

  @inlinable
  @discardableResult
  func closeAsked(_ number: UInt64) -> ActionEnd? {
    parts.pointee.onlyAsk.close(number) ? nil : closeKnown(number)
  }

  @usableFromInline
  func closeKnown(_ number: UInt64) -> ActionEnd? {
    asks { book, only in book.close(number, beside: only) }
  }

  /// The ask has been answered before anybody waited; the token is kept for the next one, if it is
  /// the asker's alone and was needed for nothing else.
  @inlinable
  func closeAsked(_ number: UInt64, _ token: inout ReplyToken?, isOurs: Bool) {
    if !isOurs { token?.isOf(self, number) }
    closeAsked(number)
    if isOurs, let kept = token.take() { ReplyToken.keepSpare(kept, for: self) }
  }

  /// A token that nobody has.
  @inlinable
  func newToken() -> ReplyToken {
    ReplyToken.takeSpare(for: self) ?? ReplyToken()
  }

  @usableFromInline
  func answeredTwice(_ number: UInt64?) { report(.answeredTwice, nil, number) }
}
