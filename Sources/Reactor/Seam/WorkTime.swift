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

  /// Nanoseconds since some moment in the past, the same one in the whole process, or since the
  /// simulation's start.
  ///
  /// What each effect writes down. An instant of the standard library is of a type that nobody
  /// outside it knows the size of, and so takes several times as long to keep.
  @inlinable static var ticks: Int64 { SimulatedExecutor.isAny ? lookUpTicks() : SystemTime.now }

  @usableFromInline static func lookUpTicks() -> Int64 {
    guard let time = SimulatedExecutor.current as? any SimulatedTime else { return SystemTime.now }
    return nanoseconds(time.sinceStart)
  }

  /// The same moment, said both ways.
  private static let moment = (instant: ContinuousClock.now, ticks: SystemTime.now)

  /// When that was, of real time.
  static func instant(ofTicks ticks: Int64) -> ContinuousClock.Instant {
    moment.instant.advanced(by: .nanoseconds(ticks - moment.ticks))
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// An executor in whose simulation there is a clock.
package protocol SimulatedTime: TaskExecutor {
  /// How far the clock has been turned.
  var sinceStart: Duration { get }
}
