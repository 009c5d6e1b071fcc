public import ReactorMachines
import ReactorRuntime

/// The result of ``Reactor/send(_:)``: waits for that action's work, or cancels it.
///
/// A receipt allocates nothing and can be discarded. It does not keep the reactor alive. It can be
/// copied and sent to any isolation.
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
  /// A refusal by a lane is not known yet when `send` returns; see ``refusal``.
  @inlinable
  public var isRefused: Bool {
    if case .refused = kind { true } else { false }
  }

  /// The action's number in reports; `nil` if the action was refused.
  public var actionNumber: ActionNumber? {
    if case .action(let number) = kind { ActionNumber(rawValue: number) } else { nil }
  }

  /// Why the action was refused, as far as that is known now; `nil` if it was not refused.
  ///
  /// A refusal by the inbox is known when `send` has returned, and does not change. A refusal by a
  /// lane is known once the action has been taken, which is before `settled` returns. It stays
  /// known for as long as ``outcome`` does.
  ///
  /// **Runs on** any thread, without `await`.
  public var refusal: ActionRefusal? {
    switch kind {
    case .refused(let refusal): return refusal.refusal
    case .action(let number):
      // Refused by its lane, or because no journal has opened the reactor.
      guard case .refused(let refusal) = core.concurrentStateIfMade?.pointee.ledger.end(of: number)
      else {
        return nil
      }
      return refusal
    }
  }

  /// Waits until the action's own work has ended, and returns how it ended.
  ///
  /// **Runs on** the caller's executor. It visits the reactor only to read the outcome.
  ///
  /// The outcome is exact if you begin to wait before the work has ended, that is, while
  /// ``isSettled`` is false. Later, it depends on what the reactor still records: the newest 16
  /// outcomes other than *finished*, and none of the actions that finished. A late result is
  /// therefore exact until 16 further actions have ended otherwise than *finished*. From then on it
  /// is ``ActionOutcome/forgotten``. For an exact outcome in every case, send with
  /// ``Reactor/outcome(of:)``.
  ///
  /// **If the waiting task is cancelled**, it returns early with ``ActionOutcome/open``. The work
  /// continues.
  nonisolated(nonsending) public var outcome: ActionOutcome {
    get async {
      if let refusal, isRefused { return .refused(refusal) }
      guard case .action(let number) = kind else { return .finished }
      // Registered before the wait: from here on the outcome is kept for this caller in every case.
      core.ledger.requestOutcome(of: number)
      return await core.requestedOutcome(of: number)
    }
  }

  /// Whether the action's own work has ended, however it ended.
  ///
  /// If it is `true`, `settled` returns at once.
  ///
  /// **Runs on** the caller's executor, and visits the reactor to read it. It waits for nothing
  /// else.
  nonisolated(nonsending) public var isSettled: Bool {
    get async {
      guard case .action(let number) = kind else { return true }
      return await core.isSettled(number)
    }
  }

  /// Waits until the action's own work has ended, however it ended.
  ///
  /// **Runs on** the caller's executor. It visits the reactor only to read whether the work has
  /// ended.
  ///
  /// **Order**: when it returns, everything that the work emitted is in the state. It does not wait
  /// for actions that the work sent in turn. Behind a `transform(action:)` that holds actions back
  /// or reads ahead (`debounce`, `share`), it returns when the hook has taken in the action.
  ///
  /// **Failure**: work settles when it finishes, is empty, fails, or is cancelled, dropped or
  /// refused. If the reactor has been released, its effects have been cancelled, and this waits
  /// until they have returned.
  ///
  /// **If the waiting task is cancelled**, it returns early, and the action's work continues. To
  /// cancel the work together with the waiting task, use ``settledOrCancelled``.
  ///
  /// An effect must not wait for its own action: it would wait for ever.
  @inlinable
  nonisolated(nonsending) public var settled: Void {
    get async {
      if case .action(let number) = kind { await core.waitUntilSettled(number) }
    }
  }

  /// Waits until the action's own work has ended, and cancels that work if the waiting task is
  /// cancelled.
  ///
  /// Use it in the handler of a request whose client may disconnect:
  ///
  /// ```swift
  /// router.post("orders") { request, _ in
  ///   try await orders.send(.place(request.order)).settledOrCancelled
  ///   return Response(status: .created)
  /// }
  /// ```
  ///
  /// **Runs on** the caller's executor.
  ///
  /// **Failure**: it returns when ``settled`` would. If a lane dropped the action, or the reactor
  /// was released, nothing is thrown here. Read ``outcome`` to know how the work ended.
  ///
  /// **If the waiting task is cancelled** before that, it calls ``cancel()``, and then waits until
  /// the work has ended all the same, since the work may have to clean up. No work is left running
  /// unattended. For work that must run to its end in every case, such as a payment, use
  /// ``settled``.
  ///
  /// - Throws: `CancellationError` if the waiting task was cancelled, at the latest when the work
  ///   ended.
  nonisolated(nonsending) public var settledOrCancelled: Void {
    get async throws(CancellationError) {
      await settled
      guard Task.isCancelled else { return }
      cancel()
      // In a task of its own, because a wait ends early in a task that is cancelled.
      await PipelineTasks.inheriting { await settled }.value
      throw CancellationError()
    }
  }

  /// Waits until the action's turn is over: everything it leads to at once is then in the state.
  ///
  /// For an action that waits in a lane or in a hook, it waits until the action's work has ended.
  package var performed: Void {
    get async {
      guard case .action(let number) = kind else { return }
      let core = core
      let isPerformed = await core.withReactor { reactor in
        if Engine<R>.hasTurnHook { return false }
        while number >= core.turnState.taken,
          core.takeInWaitingTask(upTo: Engine<R>.turnsAtATime, on: reactor)
        {}
        return core.isTaken(number) && core.details.lanes.parked[number] == nil
      }
      if isPerformed == false { await core.waitUntilSettled(number) }
    }
  }

  /// Whether effects of the action are running.
  package var hasOpenWork: Bool {
    if case .action(let number) = kind {
      core.ledger.works(of: number).isEmpty == false
    } else {
      false
    }
  }

  /// Cancels the action's own work.
  ///
  /// **Runs on** any thread. It does nothing if the work has already ended.
  ///
  /// **Order**: an action that has not been taken will not be, and the task of a running effect is
  /// cancelled. Once this has returned, nothing more of that work is reduced. Actions that the work
  /// sent are not affected. An action or a mutation that is inside a hook at that moment can no
  /// longer be cancelled. Behind a `transform(action:)` that holds actions back or reads ahead
  /// (`debounce`, `share`), the same is true of everything that results from it.
  ///
  /// Mutations that the work emits as it cleans up are ignored as well. A state that it began, such
  /// as `isLoading`, therefore stays until an action clears it; see
  /// ``Reactor/sendUnlessStopped(_:)``.
  public func cancel() {
    if case .action(let number) = kind { core.cancel(number) }
  }
}
