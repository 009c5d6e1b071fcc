import ReactorMachines
import ReactorRuntime

extension Reactor {
  /// Ends the reactor: refuses new actions, cancels running effects, ends the state streams.
  ///
  /// ```swift
  /// await reactor.stop(.drain).settled  // everything that was begun is done
  /// ```
  ///
  /// To drain within a time limit, see ``stop(_:within:clock:)``.
  ///
  /// **Runs on** any thread; returns at once. To wait for the end: `await reactor.stop().settled`.
  /// Works on `any Reactor`, too.
  ///
  /// **Order**: actions sent before are still taken, and what they emit at once is reduced. Then
  /// their effects are cancelled. Actions that wait in a lane never begin: their outcome is
  /// ``ActionOutcome/neverBegun``, and they are reported. With `.drain`, all of these complete
  /// first. The streams end with the last state. `currentState` can still be read.
  ///
  /// **Called again**, it cuts a drain short, or the wait for elements that hooks hold, which are
  /// dropped and reported. A second `stop(.drain)` changes nothing. While it drains, the reactor is
  /// kept alive.
  ///
  /// - Parameter mode: What happens to running effects.
  /// - Returns: A receipt that settles when every effect has ended, and that has what was cut
  ///   short.
  @discardableResult
  public nonisolated func stop(_ mode: StopMode = .cancel) -> StopReceipt {
    let core = pipeline.core
    let closing = core.inbox.close(mode)
    core.handle(closing, of: self)
    return StopReceipt(core: core, generation: closing.generation)
  }

  /// Starts again after ``stop(_:)``, from the last state or from another one.
  ///
  /// **Runs on** any thread. An effect of this reactor must not wait for it, since it waits for
  /// that effect: `Task { await self.restart() }`.
  ///
  /// **Order**: a reactor that has not been stopped is stopped first, and all its work has ended
  /// before this continues. Then the hooks are called anew, actions are taken again, and new state
  /// streams begin with the state. Earlier streams have ended.
  ///
  /// **Called again meanwhile**, it is the same restart, unless the call has another state to start
  /// from: then a further restart follows, which ends the first one's generation. A reactor that is
  /// stopped after it has begun again stays stopped.
  ///
  /// **Failure**: a reactor that a journal has opened is stopped and stays stopped, with a report,
  /// because its journal has been closed by then. Open it anew.
  ///
  /// **Cancellation** does not interrupt it.
  ///
  /// - Parameter state: The state to start from; by default the last one.
  public nonisolated func restart(from state: State? = nil) async {
    while true {
      let stopped = stop()
      // In a task of its own, because a wait ends early in a task that is cancelled.
      await PipelineTasks.inheriting { await stopped.settled }.value
      if await pipeline.core.restart(from: state, after: stopped.generation, on: self) { return }
    }
  }
}
