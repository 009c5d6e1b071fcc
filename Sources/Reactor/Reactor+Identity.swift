extension Reactor {
  /// Which reactor this is, as reports say it.
  ///
  /// It costs nothing until it is first asked for. **Runs on** any thread.
  public nonisolated var identity: ReactorIdentity { pipeline.core.identity }
}

extension PipelineCore {
  /// Which reactor this is the pipeline of; also when that is gone.
  @usableFromInline var identity: ReactorIdentity { shared.withLock { $0.identity } }

  /// Names the reactor.
  @usableFromInline
  func name(_ name: String) { shared.withLock { $0.name(name) } }
}
