extension Reactor {
  /// The reactor's identity in reports: its type, number and name.
  ///
  /// **Runs on** any thread. It costs nothing until it is first read.
  public nonisolated var identity: ReactorIdentity { pipeline.core.identity }
}
