#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How often the tests repeat what could be repeated for hours.
///
/// Each count is one environment variable, and its default is here and nowhere else: small, so that
/// `make test` is quick. The Makefile sets larger ones for `make test-all` and the largest for
/// `make soak`.
package enum TestCounts {
  /// `REACTOR_SEEDS`: how many orders a shuffle or a simulation tries.
  package static let seedCount = count("REACTOR_SEEDS", default: 50)

  /// `REACTOR_HISTORIES`: how many histories of a simulated cluster are checked.
  package static let histories = count("REACTOR_HISTORIES", default: 20)

  /// `REACTOR_HAMMER`: per cent of the rounds in which threads hammer at one thing.
  package static let hammer = count("REACTOR_HAMMER", default: 10)

  /// `REACTOR_KILLS`: how often a program is killed by SIGKILL.
  package static let kills = count("REACTOR_KILLS", default: 3)

  /// `REACTOR_HOST_KILLS`: how often a host of a cluster is.
  package static let hostKills = count("REACTOR_HOST_KILLS", default: 1)

  /// `REACTOR_DAMAGE`: how many damaged copies of a file are opened, about.
  ///
  /// Of those that are only checked, in memory, there are fifty times as many.
  package static let damage = count("REACTOR_DAMAGE", default: 60)

  /// `REACTOR_KEYS`: how many keys a registry opens and closes, one after the other.
  package static let keys = count("REACTOR_KEYS", default: 5_000)

  /// `REACTOR_STEPS`: how many steps there are in the life of what lives long.
  package static let steps = count("REACTOR_STEPS", default: 1_000)

  /// `REACTOR_LEVELS`: how deeply streams are nested.
  package static let levels = count("REACTOR_LEVELS", default: 1_500)

  /// `REACTOR_ENTRIES`: how many entries the longest journal has.
  package static let entries = count("REACTOR_ENTRIES", default: 20_000)

  /// `REACTOR_SOAK`: for how many seconds hosts are killed and paused; 0 leaves it out.
  package static let soakSeconds = count("REACTOR_SOAK", default: 0)

  /// The seeds from 0, as many as ``seedCount``; with `REACTOR_SEED=17` that one alone.
  ///
  /// - Parameter most: How many the test needs at the most.
  /// - Returns: The seeds.
  package static func seeds(upTo most: Int = .max) -> [UInt64] {
    if let seed { return [seed] }
    return Array(0..<UInt64(min(most, seedCount)))
  }

  /// `REACTOR_SEED`: the one seed to run, where only one is wanted.
  package static let seed = text("REACTOR_SEED").flatMap { UInt64($0) }

  /// A number of rounds, scaled by ``hammer``.
  package static func rounds(_ full: Int) -> Int { max(1, full * hammer / 100) }

  package static func text(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func count(_ name: String, default value: Int) -> Int {
    text(name).flatMap { Int($0) } ?? value
  }
}
