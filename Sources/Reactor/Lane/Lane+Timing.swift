import ReactorMachines

extension Lane {
  /// Starts an action only once no other has come for a while; those before it are dropped, and
  /// reported.
  ///
  /// Nothing of the action is begun before: `mutate` is called when the time is up, and the lane's
  /// other rules apply then. A lane has one timing, the last one that was given to it.
  ///
  /// - Parameters:
  ///   - duration: How long it has to be quiet.
  ///   - clock: What measures that.
  /// - Returns: The lane with this timing.
  public func debounced(for duration: Duration, clock: any Clock<Duration>) -> Lane {
    timed(LaneTiming(.debounce, duration, clock))
  }

  /// Starts the first action at once, and then at most one in every window.
  ///
  /// Of the actions that come while a window is open, one is kept and starts when the window
  /// closes; the others are dropped, and reported. The next window opens then. To drop all of a
  /// window, see ``spaced(by:clock:)``.
  ///
  /// - Parameters:
  ///   - duration: How long a window is.
  ///   - latest: Whether the last action of a window is kept; otherwise the first one is.
  ///   - clock: What measures that.
  /// - Returns: The lane with this timing.
  public func throttled(
    for duration: Duration, latest: Bool = true, clock: any Clock<Duration>
  ) -> Lane {
    timed(LaneTiming(.throttle(keepsFirst: !latest), duration, clock))
  }

  /// Keeps a least distance between two starts.
  ///
  /// While it lasts, newcomers fare as if every slot were taken: in a `concurrent` or `sequential`
  /// lane they wait, in a `leading` one they are dropped, in a `latest` one the newest waits.
  ///
  /// - Parameters:
  ///   - duration: The distance.
  ///   - clock: What measures it.
  /// - Returns: The lane with this timing.
  public func spaced(by duration: Duration, clock: any Clock<Duration>) -> Lane {
    timed(LaneTiming(.spacing, duration, clock))
  }

  private func timed(_ timing: LaneTiming) -> Lane {
    var lane = self
    lane.timing = timing
    lane.rules.timing = timing.kind
    return lane
  }
}
