extension Reactor {
  /// Takes what waits: what every job begins with that wakes the reactor.
  ///
  /// It stands here, where the reactor's type is known, and is called as a requirement: so a job
  /// made by code that does not know the type runs the same specialised turns as any other.
  @inlinable
  public func _drainAtOnce() -> Bool { pipeline.core.drainAtOnce(on: self) }

  /// Goes on where that was not all.
  @inlinable
  public func _drain() async { await pipeline.core.drain(on: self) }

  /// Takes what waits, in place of a job that has yet to begin and will have less to do.
  ///
  /// - Returns: Whether there was anything.
  @inlinable
  public func _workInPlace() -> Bool {
    let core = pipeline.core
    let before = core.own.taken
    core.takeBorrowed(upTo: Engine<Self>.turnsAtATime, on: self)
    return core.own.taken != before
  }
}

extension Reactor {
  /// Calls the hooks, here and now, in a task of their own.
  ///
  /// The reactor may begin in the task of something that waits, or looks at the state. What a hook
  /// makes, a task above all, must not have that one's task-local values. In a simulation a task
  /// does not begin in place; there the hooks are called by whatever task it is.
  @inlinable
  func callHooks(of core: Engine<Self>, _ hooks: Engine<Self>.Hooks) {
    if !SimulatedExecutor.isActive {
      _ = PipelineTasks.makeImmediate { core.callHooks(hooks, on: self) }
    }
    // On an executor that does not know itself, it would begin later: too late for what is next.
    core.callHooks(hooks, on: self)
  }
}
