/// Asking: accepting an action that carries a reply, and waiting for the answer.
extension PipelineCore: AskedPipeline {
  // MARK: Sending

  /// Accepts an action; before anybody can take it, the book says that somebody waits for it.
  @inlinable
  func acceptWithReply(_ action: R.Action, for reactor: R) -> ActionReceipt<R>.Kind {
    if Company.isAny, let kind = acceptWithReplyInCompany(action, for: reactor) {
      return kind
    }
    let admission = inbox.contents.withLock { contents -> ActionInbox<R.Action>.Admission? in
      guard contents.isPlain, !contents.isClosed else { return nil }
      openAsked(contents.accepted)
      return ActionInbox.Admission(contents.append(action))
    }
    if let admission { return kind(of: admission, of: action, to: reactor) }
    return acceptWithReply(action, nil, for: reactor)
  }

  @usableFromInline
  func acceptWithReply(
    _ action: R.Action, _ member: ChainMember?, for reactor: R
  ) -> ActionReceipt<R>.Kind {
    let luggage = luggage(member)
    let extras = luggage == nil ? inboxExtrasIfMade : inboxExtras
    let admission = inbox.admit(action, luggage, extras) { openAsked($0) }
    return kind(of: admission, of: action, to: reactor)
  }

  @usableFromInline
  func acceptWithReplyInCompany(_ action: R.Action, for reactor: R) -> ActionReceipt<R>.Kind? {
    let member = ActionChain.current?.join()
    guard member != nil || ReactorObservers.isAny else { return nil }
    let kind = acceptWithReply(action, member, for: reactor)
    track(ActionReceipt(self, kind), as: member)
    return kind
  }

  @usableFromInline
  func refused(_ kind: ActionReceipt<R>.Kind) -> AskError {
    AskError(identity, nil, .refused(ActionReceipt(self, kind).refusal ?? .stopped))
  }

  /// Takes what waits, up to this action, if it is near: no thread has to be woken.
  ///
  /// As ``latch(for:on:)`` does, and where it does.
  ///
  /// - Returns: Who will be told, if it has not been answered by then.
  @inlinable
  func takeAsked(_ number: UInt64, _ token: ReplyToken?, on reactor: isolated R) -> AskWaiter? {
    start(on: reactor)
    if !own.isTaking, !Self.hasMutationHook || own.phase == .stubbed, number >= own.taken,
      number - own.taken < UInt64(Self.turnsAtATime), !SimulatedExecutor.isActive
    {
      own.isBorrowed = true
      _ = takeTurns(upTo: Int(number - own.taken) + 1, endingJob: false, on: reactor)
      own.isBorrowed = false
    }
    guard let token, !token.isAnswered else { return nil }
    return beginWaiting(number, token, on: reactor)
  }

  @usableFromInline
  func beginWaiting(
    _ number: UInt64, _ token: ReplyToken, on reactor: isolated R
  ) -> AskWaiter? {
    guard let waiter = token.beginWaiting(number, of: self) else { return nil }
    follow(number, for: waiter, on: reactor)
    return waiter
  }

  /// The answer that has come before anybody had to wait.
  @inlinable
  func answer<Value: Sendable>(to number: UInt64, in token: inout ReplyToken?) throws -> Value {
    defer { closeAsked(number, &token) }
    guard let token else { preconditionFailure("a reply has a token") }
    return try token.take()
  }

  /// Whoever waits is told when the reactor has ended, and when the action's work has, unless that
  /// has finished: then the reply may be in the state, or with somebody else.
  @usableFromInline
  func follow(_ number: UInt64, for waiter: AskWaiter, on reactor: isolated R) {
    if shared.withLock({ $0.asks?.tell(waiter, endOf: number) }) == true {
      return waiter.end(.reactorEnded)
    }
    let latch = Latch { [weak self] in self?.settledAsked(number, waiter) }
    let isTaken = number < own.taken && number != taking
    if ledger.add(latch, for: number, isTaken: isTaken) {
      watch(for: number)
      waiter.keep(latch)
    } else {
      settledAsked(number, waiter)
    }
  }

  private func settledAsked(_ number: UInt64, _ waiter: AskWaiter) {
    let end = shared.withLock { $0.asks?.end(of: number) }
    if end != nil { waiter.end(.actionEnded) }
  }

  // MARK: Waiting

  @usableFromInline
  nonisolated(nonsending) func wait(
    for number: UInt64, _ waiter: AskWaiter, within limit: AskLimit? = nil
  ) async throws {
    let timer = limit.map { limit in
      SimulatedExecutor.task {
        guard (try? await limit.sleep()) != nil else { return }
        waiter.end(.timedOut(limit.limit))
      }
    }
    let wait = await lookForCircle(number, waiter)
    let ending = await waiter.wait()
    if let wait { AskWaits.remove(wait) }
    timer?.cancel()
    if let latch = waiter.takeLatch() { ledger.forget(latch, for: number) }
    try await conclude(number, ending)
  }

  /// Closes the book on an ask; throws unless it was answered with a value.
  private nonisolated(nonsending) func conclude(
    _ number: UInt64, _ ending: AskWaiter.Ending
  ) async throws {
    // The turn that let go of the reply may not have written down yet why.
    if case .released = ending { await afterTurn() }
    let end = closeAsked(number)
    if Self.isJournaled, ending.isOfReactor { try await passGateOrThrow() }
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
    if case .failed(let error as any ExpectedError) = end { return error }
    return AskError(identity, number, end.map { .init($0) } ?? reason)
  }

  /// Returns once the turn under way is over.
  private nonisolated(nonsending) func afterTurn() async {
    if let reactor { await passBy(on: reactor) }
  }

  private func passBy(on reactor: isolated R) async {}

  /// What has been answered may be told once the mutations before it are kept.
  @usableFromInline
  nonisolated(nonsending) func passGateAsked(
    _ number: UInt64, _ token: inout ReplyToken?
  ) async throws {
    do {
      try await passGateOrThrow()
    } catch {
      closeAsked(number, &token)
      throw error
    }
  }

  // MARK: The book

  @inlinable
  func openAsked(_ number: UInt64) {
    AskWaits.begin()
    shared.withLock { shared in
      if shared.asks == nil { shared.asks = AskBook() }
      shared.asks?.open(number)
    }
  }

  @inlinable
  func closeAsked(_ number: UInt64) -> ActionEnd? {
    shared.withLock { $0.asks?.close(number) }
  }

  /// The ask has been answered before anybody waited; the token is kept for the next one, if nobody
  /// has a copy of it.
  @inlinable
  func closeAsked(_ number: UInt64, _ token: inout ReplyToken?) {
    // Whoever still has a copy may answer again, and so may somebody have done already.
    if !isKnownUniquelyReferenced(&token) || token?.again != 0 { token?.isOf(self, number) }
    shared.withLock { shared in
      guard let asks = shared.asks else { return }
      _ = asks.close(number)
      if isKnownUniquelyReferenced(&token) { asks.spare = token.take() }
    }
  }

  /// A token that nobody has.
  @inlinable
  func newToken() -> ReplyToken {
    guard let spare = shared.withLock({ $0.asks?.spare.take() }) else { return ReplyToken() }
    spare.reset()
    return spare
  }

  @usableFromInline
  func answeredTwice(_ number: UInt64?) { report(.answeredTwice, nil, number) }
}
