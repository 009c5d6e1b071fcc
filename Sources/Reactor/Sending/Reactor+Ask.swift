extension Reactor {
  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// ```swift
  /// let ticket = try await office.ask { .buy(3, $0) }
  /// ```
  ///
  /// If the reactor is idle, and answers within the action's own turn, the answer is returned
  /// without waking another thread.
  ///
  /// **Runs on** the caller's executor; the action is sent before the first suspension. While it
  /// waits, the caller retains the reactor, as in any call of an actor's method.
  ///
  /// **Order**: the action is queued among all others, as with ``send(_:)``. A mutation that was
  /// emitted before the answer was given is in the state when this returns.
  ///
  /// **If the task is cancelled**, so is the action, unless it has been answered.
  ///
  /// **Deadlock**: if the actions of several reactors ask one another in a cycle, and would wait
  /// for ever because one of them holds the lane that another one waits for, one of the asks fails,
  /// usually the last one. Its error names the actions.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry; called once, before
  ///   this suspends.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, or the ``ExpectedError`` that its effect threw;
  ///   ``AskError`` if there was no answer; `CancellationError` if the calling task was cancelled.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await ask(limit: nil, action)
  }

  /// Sends an action that carries a reply, and returns the answer if it arrives within a time
  /// limit.
  ///
  /// ```swift
  /// let ticket = try await office.ask(within: .seconds(2), clock: clock) { .buy(3, $0) }
  /// ```
  ///
  /// The time is measured from the call to the answer. For a journaled reactor it includes the time
  /// until everything done before the answer is durable. A turn that blocks its thread when the
  /// limit has passed, and so holds the reactor, delays this as well. In all other respects it is
  /// ``ask(_:)``.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait; the action is cancelled when it has passed.
  ///   - clock: The clock that measures it.
  ///   - action: Makes the action from the reply that it is to carry; called once, before this
  ///     suspends.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, or the ``ExpectedError`` that its effect threw;
  ///   ``AskError`` if there was no answer; `CancellationError` if the calling task was cancelled.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await ask(limit: AskLimit(limit, by: clock), action)
  }

  /// The same for an ask whose time limit is already running.
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

  /// Sends the action, which from here on has the only copies of the reply.
  ///
  /// - Returns: Its number, and whether the caller of `ask` replaces the job that would take it:
  ///   the caller then has to run on the reactor.
  @inlinable
  nonisolated func begin<Value: Sendable>(
    _ action: (Reply<Value>) -> Action, _ ask: Ask
  ) throws -> (number: UInt64, isJob: Bool) {
    let core = pipeline.core
    AskWaitGraph.begin()
    let (kind, isJob) = core.acceptRequestingOutcome(action(Reply(ReplyToken(ask))), for: self)
    guard case .action(let number) = kind else {
      if case .answered(.failure(let error)) = ask.take() { throw error }
      ask.end(.released)
      throw AskError(
        core.identity, nil, .refused(ActionReceipt(core, kind).refusal ?? .stopped))
    }
    return (number, isJob)
  }
}
