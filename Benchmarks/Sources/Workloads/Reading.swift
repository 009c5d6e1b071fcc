import CProcess

/// What something took, of the whole process.
package struct Reading: Sendable {
  package var wall: Duration
  /// Of all threads together: more than `wall` where two ran at the same time.
  package var cpu: Duration
  /// How often a thread had to wait, for a lock, say, or for work.
  package var voluntarySwitches: Int
  /// How often a thread was taken off its processor, which tells how busy the machine was.
  package var involuntarySwitches: Int

  /// Without a time that was merely waited through.
  func excluding(_ wait: Duration) -> Reading {
    var reading = self
    reading.wall -= wait
    return reading
  }

  /// The share of one of so many.
  func shared(by count: Int) -> Reading {
    Reading(
      wall: wall / count, cpu: cpu / count, voluntarySwitches: voluntarySwitches / count,
      involuntarySwitches: involuntarySwitches / count)
  }
}

/// Measures from its making on.
struct Stopwatch {
  private let used = process_usage_now()
  // The last to begin and the first to end.
  private let start = ContinuousClock.now

  var reading: Reading {
    let wall = ContinuousClock.now - start
    let now = process_usage_now()
    return Reading(
      wall: wall, cpu: .nanoseconds(now.cpu - used.cpu),
      voluntarySwitches: now.voluntary_switches - used.voluntary_switches,
      involuntarySwitches: now.involuntary_switches - used.involuntary_switches)
  }
}
