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
  /// Behind a `transform(action:)`, which may have it already, it is ``ActionOutcome/open``. An
  /// action that must come to its end whoever waits, a payment say, is sent with ``send(_:)``, and
  /// its receipt asked: `await receipt.outcome` cancels nothing.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended; never `forgotten`.
  nonisolated(nonsending) public func outcome(of action: Action) async -> ActionOutcome {
    let core = pipeline.core
    let kind = core.acceptAsked(action, for: self)
    guard case .action(let number) = kind else {
      return await ActionReceipt(core, kind).outcome
    }
    let outcome = await withTaskCancellationHandler {
      await core.outcomeAsked(of: number)
    } onCancel: {
      core.cancel(number)
    }
    // What a hook has is past recalling: whether more comes of it is not known.
    if case .open = outcome, !PipelineCore<Self>.hasActionHook { return .cancelled }
    return outcome
  }
}

extension PipelineCore {
  /// Accepts an action, and asks for its outcome before anybody can take it.
  func acceptAsked(_ action: R.Action, for reactor: R) -> ActionReceipt<R>.Kind {
    let member = Company.isAny ? ActionChain.current?.join() : nil
    let extras = member == nil ? inboxExtrasIfMade : inboxExtras
    let admission = inbox.admit(action, luggage(member), extras) { ask($0) }
    let kind = kind(of: admission, of: action, to: reactor)
    track(ActionReceipt(self, kind), as: member)
    return kind
  }
}
