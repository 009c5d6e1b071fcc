/// Does something so many times, and says how long that took: preparing and tidying up are not counted.
package typealias Workload = @Sendable (_ count: Int) async -> Duration

/// Measures from its making on.
///
/// Everything is measured with the same clock in the same process, so what is said in the end is a
/// ratio of two durations.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { ContinuousClock.now - start }
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never)
func use<Value>(_ value: Value) {}
