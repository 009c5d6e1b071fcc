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
      while takeBatch(on: reactor) { await Task.yield() }
    }
    if hasReachedEnd.exchange(false, ordering: .relaxed) { await stop(on: reactor) }
    tidy()
  }
}

extension Reactor {
  /// Takes what waits: what every job does that wakes the reactor.
  ///
  /// It stands here, where the reactor's type is known, and is called as a requirement: so a job
  /// made by code that does not know the type runs the same specialised turns as any other.
  @inlinable
  public func _drain() async { await pipeline.core.drain(on: self) }
}
