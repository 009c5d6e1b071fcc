public import ReactorMachines
import ReactorRuntime

/// What ``Reactor/send(_:)`` returns: the way to wait for that action's work, or to cancel it.
///
/// It allocates nothing and may be thrown away. It does not keep the reactor alive, and can be
/// copied and sent anywhere.
public struct ActionReceipt<R: Reactor>: Sendable {
  @usableFromInline
  enum Kind: Sendable {
    case action(UInt64)
    case refused(InboxMachine.Refusal)

    @inlinable
    init(_ admission: InboxMachine.Admission) {
      switch admission {
      case .accepted(let number, _): self = .action(number)
      case .refused(let refusal): self = .refused(refusal)
      }
    }
  }

  @usableFromInline let core: Engine<R>
  @usableFromInline let kind: Kind

  @inlinable
  init(_ core: Engine<R>, _ kind: Kind) {
    self.core = core
    self.kind = kind
  }

  /// Whether the action was refused when it was sent: the reactor had been stopped, or its inbox
  /// was full.
  ///
  /// What a lane refuses is not known yet when `send` returns; see ``refusal``.
  @inlinable
  public var isRefused: Bool {
    if case .refused = kind { true } else { false }
  }

  /// The action's number, by which reports name it; `nil` where it was refused.
  public var actionNumber: ActionNumber? {
    if case .action(let number) = kind { ActionNumber(rawValue: number) } else { nil }
  }

  /// Why the action was refused, as far as that is known now; `nil` if it was not.
  ///
  /// What the inbox refuses is known when `send` has returned, and for good. What a lane refuses is
  /// known once the action has been taken, so before `settled` returns, and as long as ``outcome``
  /// would be.
  ///
  /// **Runs on** any thread, without `await`.
  public var refusal: ActionRefusal? {
    switch kind {
    case .refused(let refusal): return refusal.refusal
    case .action(let number):
      // By its lane, or because no journal has opened the reactor.
      guard case .refused(let refusal) = core.partsIfMade?.pointee.ledger.end(of: number) else {
        return nil
      }
      return refusal
    }
  }

  /// Waits until the action's own work has ended, and tells how.
  ///
  /// Asked before that, which is any time until ``settled`` would return at once, it is exact.
  /// Asked later, it is as long as the reactor remembers: it keeps the newest 16 ends that are not
  /// *finished*, and nothing of those that are. So it can tell that an action has finished, or how
  /// else it has ended, until 16 others have ended otherwise, and is ``ActionOutcome/forgotten``
  /// from then on. To be sure however busy it is, send with ``Reactor/outcome(of:)``.
  ///
  /// If the waiting task is cancelled, it returns early with ``ActionOutcome/open``; the work goes
  /// on.
  ///
  /// **Runs on** the caller's executor, and goes to the reactor only to ask.
  nonisolated(nonsending) public var outcome: ActionOutcome {
    get async {
      if let refusal, isRefused { return .refused(refusal) }
      guard case .action(let number) = kind else { return .finished }
      // Before it waits: from here on the end is kept for this one, whatever else may happen.
      core.ledger.ask(number)
      return await core.outcomeAskedFor(of: number)
    }
  }

  /// Whether the action's own work has ended, however it ended: whether `settled` would return at
  /// once.
  ///
  /// **Runs on** the caller's executor, and goes to the reactor to ask; it waits for nothing else.
  nonisolated(nonsending) public var isSettled: Bool {
    get async {
      guard case .action(let number) = kind else { return true }
      return await core.isSettled(number)
    }
  }

  /// Waits until the action's own work has ended, however it ended.
  ///
  /// Finished, empty, failed, cancelled, dropped, refused, or the reactor gone: all of them settle.
  /// Where the reactor has gone, its effects have been cancelled, and this waits until they have
  /// returned. When it returns, everything the work emitted is in the state. It does not wait for
  /// actions that the work sent in turn.
  ///
  /// Behind a `transform(action:)` that holds actions back or reads ahead (`debounce`, `share`), it
  /// returns when the hook has taken the action in.
  ///
  /// Returns early if the waiting task is cancelled; the action's work goes on. Where the work is
  /// to be cancelled with whoever waits for it, wait with ``settledOrCancelled``. An effect that
  /// waits for its own action waits for ever.
  ///
  /// **Runs on** the caller's executor, and goes to the reactor only to ask.
  @inlinable
  nonisolated(nonsending) public var settled: Void {
    get async {
      if case .action(let number) = kind { await core.waitUntilSettled(number) }
    }
  }

  /// Waits until the action's own work has ended; if the waiting task is cancelled, so is that
  /// work.
  ///
  /// What the handler of a request waits with, whose client may go away:
  ///
  /// ```swift
  /// router.post("orders") { request, _ in
  ///   try await orders.send(.place(request.order)).settledOrCancelled
  ///   return Response(status: .created)
  /// }
  /// ```
  ///
  /// It returns when ``settled`` would. If the waiting task is cancelled before, it does what
  /// ``cancel()`` does, and then waits all the same, until the work, which may have something to
  /// clean up, has ended: nothing is left behind that nobody waits for. Work that must come to its
  /// end whoever waits for it, such as a payment, is waited for with ``settled``. How it ended is
  /// for ``outcome`` to tell: that a lane dropped it, or the reactor went, throws nothing here.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// - Throws: `CancellationError` if the waiting task has been cancelled, at the latest by the
  ///   time the work had ended.
  nonisolated(nonsending) public var settledOrCancelled: Void {
    get async throws(CancellationError) {
      await settled
      guard Task.isCancelled else { return }
      cancel()
      // In a task of its own, because waiting ends early in one that has been cancelled.
      await PipelineTasks.inheriting { await settled }.value
      throw CancellationError()
    }
  }

  /// Waits until the action's turn is over: what it leads to at once is in the state.
  ///
  /// For one that waits in a lane or in a hook, until its work has ended.
  package var performed: Void {
    get async {
      guard case .action(let number) = kind else { return }
      let core = core
      let isPerformed = await core.visit { reactor in
        if Engine<R>.hasTurnHook { return false }
        while number >= core.own.taken,
          core.takeBorrowed(upTo: Engine<R>.turnsAtATime, on: reactor)
        {}
        return core.isTaken(number) && core.details.lanes.parked[number] == nil
      }
      if isPerformed == false { await core.waitUntilSettled(number) }
    }
  }

  /// Whether effects of the action run.
  package var hasOpenWork: Bool {
    if case .action(let number) = kind {
      core.ledger.works(of: number).isEmpty == false
    } else {
      false
    }
  }

  /// Cancels the action's own work; safe from any thread, and when there is nothing left to cancel.
  ///
  /// An action not yet taken never is; a running effect's task is cancelled. Once this has
  /// returned, nothing more of that work is reduced. Actions that the work sent are not touched.
  /// What is inside a hook at that moment, an action or a mutation, is past recalling; behind a
  /// `transform(action:)` that holds actions back or reads ahead (`debounce`, `share`), so is all
  /// that comes of them.
  ///
  /// The work's own cleanup is silent too: what it had begun in the state, such as `isLoading`,
  /// stays until an action clears it.
  public func cancel() {
    if case .action(let number) = kind { core.cancel(number) }
  }
}
