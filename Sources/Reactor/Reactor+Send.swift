import ReactorMachines

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
    return ActionReceipt(core, core.conclude(admission, action, with: context, of: self))
  }
}
