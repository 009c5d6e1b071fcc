public import ReactorMachines

extension Reactor {
  /// Sends an action; returns at once.
  ///
  /// ```swift
  /// counter.send(.increase)                // fire and forget
  /// await counter.send(.increase).settled  // wait until this action's work is done
  /// ```
  ///
  /// **Runs on** any thread, without `await`: nothing of the reactor runs in the caller.
  ///
  /// **Order**: actions are taken in the order `send` was called, one order over all threads. Sent
  /// from inside the reactor (an effect, a hook, `reduce`, an observer), an action waits its turn.
  ///
  /// **After** ``stop(_:)`` the action is refused, which the receipt says and a report too.
  ///
  /// **Task-local values** of the sender reach the action's work where the pipeline names them; see
  /// ``TaskLocals``. Of all others an effect has none, neither the sender's nor anybody else's.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt, to wait for the action's work or to cancel it.
  @inlinable
  @discardableResult
  public nonisolated func send(_ action: Action) -> ActionReceipt<Self> {
    // In two steps, so that a receipt that nobody wants need not hold the core for a moment.
    let kind = pipeline.core.accept(action, for: self)
    return ActionReceipt(pipeline.core, kind)
  }

  /// Sends an action, and keeps track of everything that it causes in turn; returns at once.
  ///
  /// ```swift
  /// await reactor.sendTracked(.open).settled  // what .open sent has ended too, and what that sent
  /// ```
  ///
  /// What `mutate`, `reduce` and the effect of the action send is caused by it, to this reactor or
  /// to another, from child tasks and from a `Task { }` as well; not from `Task.detached { }`. For
  /// the rest it is ``send(_:)``, only dearer: while such an action is on its way, every action in
  /// the process costs a little more.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt for all of it.
  @discardableResult
  public nonisolated func sendTracked(_ action: Action) -> TrackedReceipt {
    let chain = ActionChain()
    let receipt = ActionChain.$current.withValue(chain) { send(action) }
    guard receipt.isRefused, let refusal = receipt.refusal else {
      return TrackedReceipt(chain: chain, refusal: nil)
    }
    return TrackedReceipt(chain: nil, refusal: refusal)
  }

  /// Sends an action as soon as the inbox has room for it.
  ///
  /// For a pipeline with a limit, `Pipeline(inboxLimit: 1000, suspendsSenders: true)`: the way to
  /// be held back by a reactor that cannot keep up. Without a limit, it is ``send(_:)``.
  ///
  /// **Order**: those who wait are let in first come, first served.
  ///
  /// **If the task is cancelled** while it waits, or the reactor is stopped, the action is refused,
  /// which the receipt says and a report too.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt, to wait for the action's work or to cancel it.
  @discardableResult
  public nonisolated func sendWhenRoom(_ action: Action) async -> ActionReceipt<Self> {
    let core = pipeline.core
    let context = core.contextOfSender()
    let admission = await core.inbox.admitWhenRoom(action, with: context)
    return ActionReceipt(core, core.wakeOrRefuse(admission, action, with: context, of: self))
  }
}

extension PipelineCore {
  /// Accepts an action, and wakes the reactor where it sleeps.
  @inlinable @inline(__always)
  func accept(_ action: R.Action, for reactor: R) -> ActionReceipt<R>.Kind {
    let context = contextOfSender()
    let admission = inbox.admit(action, with: context)
    // Mostly there is a job already. The thread that has made it may have yet to call `connect`,
    // and the receipt needs the weak reference: so it is called.
    if context == nil, case .accepted(let number, false) = admission {
      connect(reactor)
      return .action(number)
    }
    return wakeOrRefuse(admission, action, with: context, of: reactor)
  }

  /// Does what follows from what the inbox has said: wakes the reactor if it sleeps, or reports
  /// that the action is refused.
  ///
  /// - Returns: What its sender gets.
  @inlinable
  func wakeOrRefuse(
    _ admission: InboxMachine.Admission, _ action: R.Action, with context: ActionContext?,
    of reactor: R
  ) -> ActionReceipt<R>.Kind {
    let kind: ActionReceipt<R>.Kind
    switch admission {
    case .accepted(let number, let schedules):
      if schedules { wake(reactor) } else { connect(reactor) }
      kind = .action(number)
    case .refused(.closed): kind = refuse(action, .actionRefused, .stopped, by: reactor)
    case .refused(.full): kind = refuse(action, .inboxFull, .inboxFull, by: reactor)
    case .refused(.cancelled):
      kind = refuse(action, .senderCancelled, .senderCancelled, by: reactor)
    }
    if let context { track(kind, by: context) }
    return kind
  }

  /// As ``wakeOrRefuse(_:_:with:of:)`` does, for a sender that comes to the reactor at once and
  /// takes what it has sent: it stands in for the job.
  ///
  /// Not where a hook's task has turns to take, or a simulation an order.
  ///
  /// - Returns: What became of it, and whether the caller has to come.
  @inlinable
  func kindOrJob(
    of admission: InboxMachine.Admission, of action: R.Action, with context: ActionContext?,
    to reactor: R
  ) -> (kind: ActionReceipt<R>.Kind, isJob: Bool) {
    guard case .accepted(let number, true) = admission, !Self.hasMutationHook,
      !SimulatedExecutor.isAny
    else { return (wakeOrRefuse(admission, action, with: context, of: reactor), false) }
    connect(reactor)
    if let context { track(.action(number), by: context) }
    guard let living = self.reactor, living === reactor else {
      isNotHome(of: reactor)
      return (.action(number), false)
    }
    return (.action(number), true)
  }

  @usableFromInline
  func refuse(
    _ action: R.Action, _ problem: ReactorReport.Problem, _ refusal: ActionReceipt<R>.Refusal,
    by reactor: R
  ) -> ActionReceipt<R>.Kind {
    connect(reactor)
    report(problem, action)
    return .refused(refusal)
  }

  /// An action that is part of a chain is cancelled with it; one that was refused leaves it.
  @usableFromInline
  func track(_ kind: ActionReceipt<R>.Kind, by context: ActionContext) {
    guard let member = context.member else { return }
    switch kind {
    case .action(let number): member.chain.setCancel(of: member) { self.cancel(number) }
    case .refused: member.leave()
    }
  }
}
