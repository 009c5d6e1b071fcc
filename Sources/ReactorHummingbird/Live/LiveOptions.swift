/// Options for a stream of live states.
public struct LiveOptions: Sendable {
  /// After how long without an event a comment is sent, so that no proxy closes the connection as
  /// inactive.
  ///
  /// The actual time can be up to twice as long.
  public var heartbeat: Duration
  /// How long a browser waits before it reconnects.
  public var retry: Duration
  /// The maximum number of states in one stream.
  public var limit: Int
  /// The clock that measures the heartbeats.
  public var clock: any Clock<Duration>

  /// Creates options.
  ///
  /// - Parameters:
  ///   - heartbeat: After how long without an event a comment is sent.
  ///   - retry: How long a browser waits before it reconnects.
  ///   - limit: The maximum number of states in one stream.
  ///   - clock: The clock that measures the heartbeats.
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
