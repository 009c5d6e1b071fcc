/// When work begins that outlives its turn: the real time, or that of a simulation.
@usableFromInline
enum WorkTime {
  /// Where a simulation's time begins.
  private static let origin = ContinuousClock.now

  @inlinable static var now: ContinuousClock.Instant {
    SimulatedExecutor.isAny ? lookUp() : ContinuousClock.now
  }

  @usableFromInline static func lookUp() -> ContinuousClock.Instant {
    guard let time = SimulatedExecutor.current as? any SimulatedTime else {
      return ContinuousClock.now
    }
    return origin.advanced(by: time.sinceStart)
  }
}

/// An executor in whose simulation there is a clock.
package protocol SimulatedTime: TaskExecutor {
  /// How far the clock has been turned.
  var sinceStart: Duration { get }
}
