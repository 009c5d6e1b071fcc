/// The time at which work begins that outlives its turn: the real time, or that of a simulation.
@usableFromInline
package enum WorkTime {
  /// Nanoseconds since a moment in the past that is the same in the whole process.
  ///
  /// Each effect and each step records it. An instant of the standard library has a type whose size
  /// is not known outside the library, and so takes several times as long to store.
  @usableFromInline package static var ticks: Int64 {
    guard SimulatedExecutor.isAny, let time = SimulatedExecutor.current as? any SimulatedTime else {
      return SystemTime.now
    }
    return moment.ticks + nanoseconds(time.sinceStart)
  }

  /// The same moment in both representations; a simulation's time begins at it.
  private static let moment = (instant: ContinuousClock.now, ticks: SystemTime.now)

  /// Returns the instant of a number of ticks.
  package static func instant(ofTicks ticks: Int64) -> ContinuousClock.Instant {
    moment.instant.advanced(by: .nanoseconds(ticks - moment.ticks))
  }

  package static func ticks(of instant: ContinuousClock.Instant) -> Int64 {
    moment.ticks + nanoseconds(moment.instant.duration(to: instant))
  }

  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// An executor whose simulation has a clock.
package protocol SimulatedTime: TaskExecutor {
  /// How far the clock has been advanced.
  var sinceStart: Duration { get }
}
