import ReactorMachines

extension Reactor {
  /// Sends several actions as one; returns at once.
  ///
  /// ```swift
  /// editor.sendTogether([.select(all), .delete, .rename("empty")])
  /// ```
  ///
  /// **Order**: they are taken one after another, and no action that somebody else has sent comes
  /// between them. Observers are shown one state for all, after the last of them; so is what others
  /// emit meanwhile. What an effect of theirs emits after it has suspended is shown as it comes.
  /// Each is an action for the rest: it has its lane, its receipt, and is told to those who listen
  /// to actions.
  ///
  /// **Behind `transform(action:)`** they have the way of all others: each comes when the hook lets
  /// it go, and is shown by itself.
  ///
  /// **If the inbox** has no room for all, or the reactor has been stopped, none is accepted.
  ///
  /// **Runs on** any thread.
  ///
  /// - Parameter actions: The actions, in order.
  /// - Returns: A receipt for each.
  @discardableResult
  public nonisolated func sendTogether(_ actions: [Action]) -> [ActionReceipt<Self>] {
    guard !actions.isEmpty else { return [] }
    let core = pipeline.core
    let envelopes = actions.map { core.prepare($0) }
    let admission = core.inbox.admit(together: envelopes) { numbers in
      core.post { $0.batches.append(PipelineBatch(numbers)) }
    }
    return envelopes.enumerated().map { index, envelope in
      var own = admission
      if case .accepted(let first, let schedules) = admission {
        // The first makes the job.
        own = .accepted(first + UInt64(index), schedules: schedules && index == 0)
      }
      let kind = core.conclude(own, envelope.action, with: envelope.context, of: self)
      return ActionReceipt(core, kind)
    }
  }
}
