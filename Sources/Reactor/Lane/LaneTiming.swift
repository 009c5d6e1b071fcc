import ReactorMachines

/// When the actions of a lane start.
@usableFromInline
final class LaneTiming: Sendable {
  let kind: LaneMachine.Rules.Timing
  private let duration: Duration
  private let clock: any Clock<Duration>
  /// Whether it is the clock that programs run by.
  private let isContinuous: Bool

  init(_ kind: LaneMachine.Rules.Timing, _ duration: Duration, _ clock: any Clock<Duration>) {
    self.kind = kind
    self.duration = duration
    self.clock = clock
    isContinuous = clock is ContinuousClock
  }

  /// When the time is up that begins now, if whoever sleeps may be told later that it is later.
  ///
  /// Only where keys come one after the other, and only by the clock that programs run by: tests
  /// count who sleeps on a clock of their own.
  var end: ContinuousClock.Instant? {
    guard case .debounce = kind, isContinuous else { return nil }
    return .now + duration
  }

  /// Sleeps for the duration, or until the task is cancelled.
  func pass() async { await pass(duration) }

  func pass(_ duration: Duration) async { try? await clock.sleep(for: duration) }
}
