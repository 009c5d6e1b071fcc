#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The system's clock that goes on while it sleeps, as a number.
@usableFromInline
enum SystemTime {
  #if canImport(Darwin)
    private static let clock = CLOCK_MONOTONIC_RAW
  #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
    private static let clock = CLOCK_BOOTTIME
  #endif

  /// Nanoseconds since the system began.
  @usableFromInline static var now: Int64 {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    #else
      let (seconds, attoseconds) = origin.duration(to: .now).components
      return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    #endif
  }

  #if !(canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android))
    private static let origin = ContinuousClock.now
  #endif
}
