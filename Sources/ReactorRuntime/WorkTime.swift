/// When work begins that outlives its turn: the real time, or that of a simulation.
@usableFromInline
package enum WorkTime {
  /// Nanoseconds since some moment in the past, the same one in the whole process.
  ///
  /// What each effect and each step writes down. An instant of the standard library is of a type
  /// whose size is not known outside it, and so takes several times as long to keep.
  @usableFromInline package static var ticks: Int64 {
    guard SimulatedExecutor.isAny, let time = SimulatedExecutor.current as? any SimulatedTime else {
      return SystemTime.now
    }
    return moment.ticks + nanoseconds(time.sinceStart)
  }

  /// The same moment, said both ways; a simulation's time begins then.
  private static let moment = (instant: ContinuousClock.now, ticks: SystemTime.now)

  /// When that was.
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

/// An executor in whose simulation there is a clock.
package protocol SimulatedTime: TaskExecutor {
  /// How far the clock has been turned.
  var sinceStart: Duration { get }
}
