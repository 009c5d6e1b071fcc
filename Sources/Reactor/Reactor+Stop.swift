import ReactorMachines
import ReactorRuntime

extension Reactor {
  /// Ends the reactor: refuses new actions, cancels what runs, ends the state streams.
  ///
  /// ```swift
  /// await reactor.stop(.drain).settled  // everything that was begun is done
  /// ```
  ///
  /// **Runs on** any thread; returns at once. To wait for the end: `await reactor.stop().settled`.
  ///
  /// **Order**: actions sent before are still taken, and what they emit at once is reduced. Then
  /// their effects are cancelled, and what waits in a lane is dropped and reported; with `.drain`,
  /// all of that is let come to its end first. The streams end with the last state, and
  /// `currentState` can still be read.
  ///
  /// **Called again**, it ends a drain, or the waiting for what hooks hold, which is dropped and
  /// reported. A second `stop(.drain)` changes nothing. While it drains, the reactor is not let go.
  ///
  /// Works on `any Reactor`, too. To drain for a time at most, see ``stop(_:within:clock:)``.
  ///
  /// - Parameter mode: What becomes of effects that run.
  /// - Returns: A receipt that settles when every effect has ended, and tells what was cut short.
  @discardableResult
  public nonisolated func stop(_ mode: StopMode = .cancel) -> StopReceipt {
    let core = pipeline.core
    let closing = core.inbox.close(mode)
    core.follow(closing, of: self)
    return StopReceipt(core: core, life: closing.generation)
  }

  /// Begins again after ``stop(_:)``, from the last state or from another one.
  ///
  /// A reactor that has not been stopped is stopped first, and everything of it has ended before
  /// this goes on. Then the hooks are called anew, actions are taken again, and new state streams
  /// begin with the state; those from before have ended.
  ///
  /// A reactor that a journal has opened is stopped, and stays so, with a report: its journal has
  /// been let go of by then. Open it anew.
  ///
  /// **Called again meanwhile**, it is one restart, unless there is another state to go on from:
  /// that comes after the other, whose life it ends. What is stopped once it has begun again stays
  /// so.
  ///
  /// **Runs on** any thread, and is not cut short by a cancellation. An effect of this reactor must
  /// not wait for it, since it waits for that effect: `Task { await self.restart() }`.
  ///
  /// - Parameter state: The state to go on from; by default the last one.
  public nonisolated func restart(from state: State? = nil) async {
    while true {
      let stopped = stop()
      // In a task of its own, because waiting ends early in one that has been cancelled.
      await PipelineTasks.inheriting { await stopped.settled }.value
      if await pipeline.core.restart(from: state, after: stopped.life, on: self) { return }
    }
  }
}
