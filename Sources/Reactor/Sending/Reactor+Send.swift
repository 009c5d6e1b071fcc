import ReactorMachines

extension Reactor {
  /// Sends an action; returns at once.
  ///
  /// ```swift
  /// counter.send(.increase)                // fire and forget
  /// await counter.send(.increase).settled  // wait until this action's work is done
  /// ```
  ///
  /// **Runs on** any thread, without `await`: no code of the reactor runs in the caller.
  ///
  /// **Order**: actions are taken in the order `send` was called, one order over all threads. An
  /// action sent from inside the reactor (an effect, a hook, `reduce`, an observer) is queued as
  /// well.
  ///
  /// **Failure**: after ``stop(_:)`` the action is refused. The receipt says so, and it is
  /// reported.
  ///
  /// **Task-local values** of the sender are bound in the action's work if the pipeline names them;
  /// see ``TaskLocals``. An effect has no other task-local values, neither the sender's nor any
  /// other task's.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt, to wait for the action's work or to cancel it.
  @inlinable
  @discardableResult
  public nonisolated func send(_ action: Action) -> ActionReceipt<Self> {
    // In two steps, so that a receipt that is discarded need not retain the core.
    let kind = pipeline.core.accept(action, for: self)
    return ActionReceipt(pipeline.core, kind)
  }

  /// Sends an action, unless the reactor has been stopped; returns at once.
  ///
  /// ```swift
  /// .run { emit in … }
  /// .onEnd { outcome, _ in if outcome != .finished { sendUnlessStopped(.endLoading) } }
  /// ```
  ///
  /// Use it for an action that is useless once the reactor ends, such as one that resets a state
  /// after an effect was cancelled: what a cancelled effect emits is ignored. In all other respects
  /// it is ``send(_:)``.
  ///
  /// **Failure**: after ``stop(_:)``, also while the reactor drains, the action is not sent, and
  /// nothing is reported. If `stop` is called at the same time on another thread, the action may be
  /// refused and reported instead.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt; `nil` if the reactor has been stopped.
  @discardableResult
  public nonisolated func sendUnlessStopped(_ action: Action) -> ActionReceipt<Self>? {
    pipeline.core.inbox.isClosed ? nil : send(action)
  }

  /// Sends an action, and tracks everything that it causes in turn; returns at once.
  ///
  /// ```swift
  /// await reactor.sendTracked(.open).settled  // what .open sent has ended too, and what that sent
  /// ```
  ///
  /// An action is caused by this one if its `mutate`, `reduce` or effect sent it, to this reactor
  /// or to another, also from child tasks and from a `Task { }`; not from `Task.detached { }`. In
  /// all other respects it is ``send(_:)``, but it costs more: while a tracked action is open,
  /// every action in the process costs a little more.
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

  /// Sends an action as soon as the inbox has capacity for it.
  ///
  /// This is back-pressure for a pipeline with a limit, `Pipeline(inboxLimit: 1000,
  /// suspendsSenders: true)`: it suspends the sender while the reactor cannot keep up. Without a
  /// limit, it is ``send(_:)``.
  ///
  /// **Order**: waiting senders are admitted in the order in which they called.
  ///
  /// **If the task is cancelled** while it waits, or the reactor is stopped, the action is refused.
  /// The receipt says so, and it is reported.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt, to wait for the action's work or to cancel it.
  @discardableResult
  public nonisolated func sendWhenRoom(_ action: Action) async -> ActionReceipt<Self> {
    let core = pipeline.core
    let context = core.contextOfSender()
    let admission = await core.inbox.admitOrSuspend(action, with: context)
    return ActionReceipt(core, core.handleAdmission(admission, action, with: context, of: self))
  }
}
