public import Synchronization

/// The job that works an inbox off, and who takes the turns in it.
extension PipelineCore {
  @inlinable
  func drain(on reactor: isolated R) async {
    start(on: reactor)
    if Self.hasMutationHook, own.phase != .stubbed {
      await drainThroughHook(on: reactor)
    } else if SimulatedExecutor.isActive, own.phase != .stubbed {
      await drainOneByOne(on: reactor)
    } else {
      while takeRound(on: reactor) { await Task.yield() }
    }
    if hasReachedEnd.exchange(false, ordering: .relaxed) { await stop(on: reactor) }
    tidy(on: reactor)
  }

  /// Takes what waits, in the place of a job that has yet to begin and will have less to do.
  ///
  /// Not inside a turn, where an effect on the reactor may be that has yet to suspend: it would go
  /// on before what it has been sent.
  ///
  /// - Returns: Whether there was anything.
  @inlinable
  func workInPlace(on reactor: isolated R) -> Bool {
    start(on: reactor)
    guard !own.isTaking, !Self.hasMutationHook || own.phase == .stubbed, !SimulatedExecutor.isActive
    else { return false }
    let before = own.taken
    own.isBorrowed = true
    _ = takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor)
    own.isBorrowed = false
    return own.taken != before
  }
}

extension Reactor {
  /// Takes what waits: what every job does that wakes the reactor.
  ///
  /// It stands here, where the reactor's type is known, and is called as a requirement: so a job
  /// made by code that does not know the type runs the same specialised turns as any other.
  @inlinable
  public func _drain() async { await pipeline.core.drain(on: self) }

  /// Takes what waits, in place, for one who is on the reactor's executor.
  @inlinable
  public func _workInPlace() -> Bool { pipeline.core.workInPlace(on: self) }
}
