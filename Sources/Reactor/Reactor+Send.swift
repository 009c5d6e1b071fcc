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
  /// **Order**: actions are taken in the order `send` was called, one order over all threads. Sent from
  /// inside the reactor (an effect, a hook, `reduce`, an observer), an action waits its turn.
  ///
  /// **After** ``stop()`` the action is refused, which the receipt says and a report too.
  ///
  /// **Task-local values** of the sender do not reach the action's effect, which runs with those of
  /// whoever woke the reactor; put what it needs into the action.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt, to wait for the action's work or to cancel it.
  @inlinable
  @discardableResult
  public nonisolated func send(_ action: Action) -> ActionReceipt<Self> {
    let core = pipeline.core
    switch core.inbox.admit(action) {
    case .queued(let number): return ActionReceipt(core, .action(number))
    case .wake(let number):
      core.wake(self)
      return ActionReceipt(core, .action(number))
    case .refused:
      report(ReactorReport(reactor: Self.self, action: action, problem: .actionRefused))
      return ActionReceipt(core, .refused)
    }
  }

  /// Ends the reactor: refuses new actions, cancels what runs, ends the state streams.
  ///
  /// **Runs on** any thread; returns at once. To wait for the end: `await reactor.stop().settled`.
  ///
  /// **Order**: actions sent before are still taken, and what they emit at once is reduced; then
  /// their effects are cancelled, and the streams end with the last state. `currentState` can still
  /// be read. Calling it again is harmless; with hooks, it then no longer waits for what they hold,
  /// which is dropped and reported.
  ///
  /// - Returns: A receipt that settles when every effect has ended.
  @discardableResult
  public nonisolated func stop() -> ActionReceipt<Self> {
    let core = pipeline.core
    switch core.inbox.close() {
    case .wake: core.wake(self)
    case .scheduled: break
    case .again: core.hurry()
    }
    return ActionReceipt(core, .stop)
  }
}
