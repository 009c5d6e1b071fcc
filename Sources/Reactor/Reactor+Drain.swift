extension Reactor {
  /// Takes what waits: what every job does that wakes the reactor.
  ///
  /// It stands here, where the reactor's type is known, and is called as a requirement: so a job
  /// made by code that does not know the type runs the same specialised turns as any other.
  @inlinable
  public func _drain() async { await pipeline.core.drain(on: self) }
}
