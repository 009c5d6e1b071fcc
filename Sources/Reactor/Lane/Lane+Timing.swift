import ReactorMachines

extension Lane {
  /// Starts an action only once no other has arrived for a while; the earlier ones are dropped, and
  /// reported.
  ///
  /// No part of the action begins before: `mutate` is called when the time is over, and the lane's
  /// other rules apply at that moment. A lane has one timing, the last one that was set.
  ///
  /// - Parameters:
  ///   - duration: How long no other action may arrive.
  ///   - clock: The clock that measures the duration.
  /// - Returns: The lane with this timing.
  public func debounced(for duration: Duration, clock: any Clock<Duration>) -> Lane {
    timed(LaneTiming(.debounce, duration, clock))
  }

  /// Starts the first action immediately, and then at most one in every window.
  ///
  /// Of the actions that arrive while a window is open, one is kept, and starts when the window
  /// closes. The others are dropped, and reported. The next window opens then. To drop all actions
  /// of a window, see ``spaced(by:clock:)``.
  ///
  /// - Parameters:
  ///   - duration: How long a window is.
  ///   - latest: Whether the last action of a window is kept; otherwise the first one is.
  ///   - clock: The clock that measures the duration.
  /// - Returns: The lane with this timing.
  public func throttled(
    for duration: Duration, latest: Bool = true, clock: any Clock<Duration>
  ) -> Lane {
    timed(LaneTiming(.throttle(keepsFirst: !latest), duration, clock))
  }

  /// Keeps a minimum distance between two starts.
  ///
  /// Until the distance has passed, no action starts, even if a slot is free. In a `concurrent` or
  /// `sequential` lane, new actions wait. In a `leading` lane, they are dropped. In a `latest`
  /// lane, a new action waits; if every slot is taken, it evicts the oldest running action when it
  /// arrives. It also supersedes the oldest waiting one, if as many wait as there are slots.
  ///
  /// - Parameters:
  ///   - duration: The distance.
  ///   - clock: The clock that measures it.
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
