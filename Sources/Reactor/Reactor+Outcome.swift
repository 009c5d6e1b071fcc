extension Reactor {
  /// Sends an action, and returns how its own work ended.
  ///
  /// ```swift
  /// switch await office.outcome(of: .reserve(seats: 2)) {
  /// case .finished: .ok
  /// case .failed(let error): .badRequest("\(error)")
  /// case .refused(.stopped), .neverBegun: .serviceUnavailable  // can be sent anew
  /// case .reactorEnded: .badGateway  // what had been begun may be done
  /// case .refused(.inboxFull): .tooManyRequests
  /// default: .conflict
  /// }
  /// ```
  ///
  /// The question comes with the action, so that the answer is exact however busy the reactor is;
  /// only actions sent this way cost more for it.
  ///
  /// **Runs on** the caller's executor; the action is sent before it first suspends.
  ///
  /// **If the task is cancelled**, so is the action, and the outcome is
  /// ``ActionOutcome/cancelled``, unless it had ended by then. Its effect may still be cleaning up.
  /// Behind a `transform(action:)`, which may have it already, it is ``ActionOutcome/open``; so it
  /// is where a journaled reactor has done it, and it is not kept yet. An
  /// action that must come to its end whoever waits, a payment say, is sent with ``send(_:)``, and
  /// its receipt asked: `await receipt.outcome` cancels nothing.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended; never `forgotten`.
  @inlinable
  nonisolated(nonsending) public func outcome(of action: Action) async -> ActionOutcome {
    let core = pipeline.core
    let (kind, isJob) = core.acceptAsked(action, for: self)
    guard case .action(let number) = kind else {
      return await ActionReceipt(core, kind).outcome
    }
    let outcome = await withTaskCancellationHandler {
      if isJob { await core.takeUpTo(number, asJob: true, on: self) }
      return await core.outcomeAskedFor(of: number)
    } onCancel: {
      core.cancel(number)
    }
    guard case .open = outcome else { return outcome }
    // What a hook has is past recalling: whether more comes of it is not known. And what has ended
    // by then has not been cancelled, though it is not kept yet.
    if Engine<Self>.hasActionHook { return .open }
    if Self._isJournaled, await core.isSettled(number) { return .open }
    return .cancelled
  }
}
