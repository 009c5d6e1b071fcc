/// How live states are sent.
public struct LiveOptions: Sendable {
  /// How long a stream is silent at most, give or take as much again: then a comment is written, so
  /// that no proxy on the way takes the connection for dead.
  public var heartbeat: Duration
  /// How long a browser waits before it comes again.
  public var retry: Duration
  /// How many states one stream may have.
  public var limit: Int
  /// What measures the time between two heartbeats.
  public var clock: any Clock<Duration>

  /// What is usual.
  ///
  /// - Parameters:
  ///   - heartbeat: How long a stream is silent.
  ///   - retry: How long a browser waits before it comes again.
  ///   - limit: How many states one stream may have.
  ///   - clock: What measures the heartbeats.
  public init(
    heartbeat: Duration = .seconds(15), retry: Duration = .seconds(2), limit: Int = 64,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.heartbeat = heartbeat
    self.retry = retry
    self.limit = limit
    self.clock = clock
  }
}
