import ReactorMachines

/// When the actions of a lane start.
@usableFromInline
final class LaneTiming: Sendable {
  let kind: LaneMachine.Rules.Timing
  let duration: Duration
  private let clock: any Clock<Duration>
  /// Whether it is the continuous clock, by which programs run.
  private let isContinuous: Bool

  init(_ kind: LaneMachine.Rules.Timing, _ duration: Duration, _ clock: any Clock<Duration>) {
    self.kind = kind
    self.duration = duration
    self.clock = clock
    isContinuous = clock is ContinuousClock
  }

  /// When a time that begins now is over, if a sleeping task may be notified later that the end has
  /// moved.
  ///
  /// That is possible only for a debounce, and only on the clock by which programs run: tests count
  /// the tasks that sleep on a clock of their own.
  var end: ContinuousClock.Instant? {
    guard case .debounce = kind, isContinuous else { return nil }
    return .now + duration
  }

  /// Sleeps for the duration, or until the task is cancelled.
  func sleep() async { await sleep(duration) }

  func sleep(_ duration: Duration) async { try? await clock.sleep(for: duration) }
}
