#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How hard to hammer.
package enum Hammer {
  /// `REACTOR_HAMMER=10` in the environment makes everything ten times smaller.
  private static let divisor = getenv("REACTOR_HAMMER").flatMap { Int(String(cString: $0)) } ?? 1

  /// `REACTOR_SEED=17` in the environment lets a shuffle run with that seed alone.
  package static func seeds(_ count: Int) -> [UInt64] {
    if let seed = getenv("REACTOR_SEED").flatMap({ UInt64(String(cString: $0)) }) { return [seed] }
    return Array(0..<UInt64(times(count)))
  }

  /// How many keys come and go, where `make soak` says so.
  package static let keys = getenv("REACTOR_KEYS").flatMap { Int(String(cString: $0)) }

  package static func times(_ count: Int) -> Int { max(1, count / max(1, divisor)) }
}
