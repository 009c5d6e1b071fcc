extension Reactor {
  /// Which reactor this is, as reports say it.
  ///
  /// It costs nothing until it is first asked for. **Runs on** any thread.
  public nonisolated var identity: ReactorIdentity { pipeline.core.identity }
}
