import TestSupport

/// A clock that the test turns by hand, one step for each millisecond.
struct MillisecondClock: Clock {
  struct Instant: InstantProtocol {
    var step: Int
    func advanced(by duration: Duration) -> Instant {
      Instant(step: step + Int(duration / .milliseconds(1)))
    }
    func duration(to other: Instant) -> Duration { .milliseconds(other.step - step) }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.step < rhs.step }
  }

  let hand = ManualClock()

  var now: Instant { Instant(step: hand.now.step) }
  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await hand.sleep(until: ManualClock.Instant(step: deadline.step), tolerance: nil)
  }
}
