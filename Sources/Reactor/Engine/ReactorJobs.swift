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
    core.takeBorrowed(upTo: PipelineCore<Self>.turnsAtATime, on: self)
    return core.own.taken != before
  }
}
