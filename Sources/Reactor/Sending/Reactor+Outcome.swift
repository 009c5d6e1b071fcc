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
  /// The outcome is requested together with the action, so it is exact however busy the reactor is.
  /// Only actions sent this way cost more for it.
  ///
  /// **Runs on** the caller's executor; the action is sent before the first suspension.
  ///
  /// **If the task is cancelled**, so is the action, and the outcome is
  /// ``ActionOutcome/cancelled``, unless it had ended by then. Its effect may still be cleaning up.
  /// The outcome is ``ActionOutcome/open`` behind a `transform(action:)`, which may already hold
  /// the action, and if a journaled reactor has completed the action but it is not durable yet. For
  /// an action that must run to its end in every case, such as a payment, use ``send(_:)`` and read
  /// the receipt: `await receipt.outcome` cancels nothing.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended; never `forgotten`.
  @inlinable
  nonisolated(nonsending) public func outcome(of action: Action) async -> ActionOutcome {
    let core = pipeline.core
    let (kind, isJob) = core.acceptRequestingOutcome(action, for: self)
    guard case .action(let number) = kind else {
      return await ActionReceipt(core, kind).outcome
    }
    let outcome = await withTaskCancellationHandler {
      if isJob { await core.takeUpTo(number, asJob: true, on: self) }
      return await core.requestedOutcome(of: number)
    } onCancel: {
      core.cancel(number)
    }
    guard case .open = outcome else { return outcome }
    // An action that a hook has taken in cannot be cancelled: whether more results from it is not
    // known. And an action that has ended by then was not cancelled, even if it is not durable yet.
    if Engine<Self>.hasActionHook { return .open }
    if Self.isJournaled, await core.isSettled(number) { return .open }
    return .cancelled
  }
}
