extension Reactor {
  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// ```swift
  /// let ticket = try await office.ask { .buy(3, $0) }
  /// ```
  ///
  /// Of a reactor that does nothing else, and answers in the action's own turn, the answer is there
  /// without another thread having been woken.
  ///
  /// **Runs on** the caller's executor; the action is sent before it first suspends. While it
  /// waits, the caller holds the reactor, as in any call of an actor.
  ///
  /// **Order**: the action takes its place among all others, as one sent by ``send(_:)``. What
  /// stands in the state when the answer is given is there when this returns, if it was emitted
  /// before.
  ///
  /// **If the task is cancelled**, so is the action, unless it has been answered.
  ///
  /// **In a circle** of reactors whose actions ask one another, and would wait for ever because one
  /// of them has the lane that another one waits for, one of the asks fails, as a rule the last,
  /// and says which actions they are.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry; called once, at once.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, or the ``ExpectedError`` that its effect threw;
  ///   ``AskError`` where there was no answer; `CancellationError` where the asking task has been
  ///   cancelled.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await ask(limit: nil, action)
  }

  /// Sends an action that carries a reply, and returns the answer if it comes within a time.
  ///
  /// ```swift
  /// let ticket = try await office.ask(within: .seconds(2), clock: clock) { .buy(3, $0) }
  /// ```
  ///
  /// The time begins with the call, and ends with the answer: of a journaled reactor, once what was
  /// done before it is kept. A turn that holds the reactor when it is up, because it blocks
  /// its thread, holds this up as well. For the rest it is ``ask(_:)``.
  ///
  /// - Parameters:
  ///   - limit: How long that may take; when it has passed, the action is cancelled.
  ///   - clock: What measures it.
  ///   - action: Makes the action from the reply that it is to carry; called once, at once.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, or the ``ExpectedError`` that its effect threw;
  ///   ``AskError`` where there was no answer; `CancellationError` where the asking task has been
  ///   cancelled.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await ask(limit: AskLimit(limit, by: clock), action)
  }

  /// The same for an ask whose time has begun already.
  @inlinable
  package nonisolated(nonsending) func ask<Value: Sendable>(
    limit: AskLimit?, _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    let core = pipeline.core
    let ask = Ask()
    let (number, isJob) = try begin(action, ask)
    await core.takeUpTo(number, asJob: isJob, on: self)
    return Ask.value(try await core.answer(to: number, ask, within: limit, of: self))
  }

  /// Sends the action; from here on it has the only copies of the reply.
  ///
  /// - Returns: Its number, and whether the asker stands in for the job that takes it: it has to
  ///   come to the reactor.
  @inlinable
  nonisolated func begin<Value: Sendable>(
    _ action: (Reply<Value>) -> Action, _ ask: Ask
  ) throws -> (number: UInt64, isJob: Bool) {
    let core = pipeline.core
    AskWaits.begin()
    let (kind, isJob) = core.acceptAsked(action(Reply(ReplyToken(ask))), for: self)
    guard case .action(let number) = kind else {
      if case .answered(.failure(let error)) = ask.take() { throw error }
      ask.end(.released)
      throw AskError(
        core.identity, nil, .refused(ActionReceipt(core, kind).refusal ?? .stopped))
    }
    return (number, isJob)
  }
}
