import ReactorMachines

extension Reactor {
  /// Sends several actions as one batch; returns at once.
  ///
  /// ```swift
  /// editor.sendTogether([.select(all), .delete, .rename("empty")])
  /// ```
  ///
  /// **Runs on** any thread.
  ///
  /// **Order**: the actions are taken one after another, without another sender's action in
  /// between. Subscribers receive one state for all of them, after the last one; it includes what
  /// other effects emit meanwhile. Mutations that an effect of the batch emits after it has
  /// suspended are published as they come. In all other respects each is an action of its own: it
  /// has its lane and its receipt, and is delivered to the streams of ``actions(where:)``.
  ///
  /// **Behind `transform(action:)`** they are not a batch: each is taken when the hook returns it,
  /// and its state is published by itself.
  ///
  /// **Failure**: if the inbox has no capacity for all, or the reactor has been stopped, none is
  /// accepted.
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
      var single = admission
      if case .accepted(let first, let schedules) = admission {
        // The first one schedules the job.
        single = .accepted(first + UInt64(index), schedules: schedules && index == 0)
      }
      let kind = core.handleAdmission(single, envelope.action, with: envelope.context, of: self)
      return ActionReceipt(core, kind)
    }
  }
}
