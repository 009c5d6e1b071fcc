import Benchmark
import Workloads

/// How long one thing takes, beside another that is measured in the same run.
///
/// In each round the two take turns, in either order, and one ratio comes of it; what else the machine
/// is doing hits both. The table is of the ratios' median and quartiles.
struct Comparison {
  let name: String
  /// How much is done at a time.
  let count: Int
  let subject: Workload
  let floor: Workload
  /// How often each is tried in a round; the shortest counts, which is the one least interrupted.
  private let turnsPerRound = 3

  /// Registers it under a name that says all that the table needs.
  ///
  /// - Parameters:
  ///   - name: What is measured.
  ///   - floorName: What it is compared with.
  ///   - target: What the ratio is to be at most; `nil` where it only informs.
  ///   - count: How much is done at a time.
  ///   - rounds: How often the two take turns.
  ///   - subject: What is measured.
  ///   - floor: What it is compared with.
  static func compare(
    _ name: String, with floorName: String, atMost target: Double?, count: Int = 10_000,
    rounds: Int = 40, _ subject: @escaping Workload, _ floor: @escaping Workload
  ) {
    let title = "\(name) ÷ \(floorName)" + (target.map { " ≤ \($0)" } ?? "")
    let comparison = Comparison(
      name: title, count: count, subject: subject, floor: floor)
    Benchmark(title, configuration: .rounds(rounds)) { await comparison.round($0) }
  }

  private func round(_ benchmark: Benchmark) async {
    var (mine, others) = (Duration.seconds(1000), Duration.seconds(1000))
    for turn in 0..<turnsPerRound {
      if turn.isMultiple(of: 2) {
        mine = min(mine, await subject(count))
        others = min(others, await floor(count))
      } else {
        others = min(others, await floor(count))
        mine = min(mine, await subject(count))
      }
    }
    benchmark.measurement(.thousandths, Int((mine / others * 1000).rounded()))
    benchmark.measurement(.subject, nanoseconds(mine))
    benchmark.measurement(.floor, nanoseconds(others))
  }

  private func nanoseconds(_ duration: Duration) -> Int {
    Int((duration / .nanoseconds(1) / Double(count)).rounded())
  }
}

extension BenchmarkMetric {
  static var thousandths: Self { own("ratio in thousandths") }
  static var subject: Self { own("nanoseconds") }
  static var floor: Self { own("nanoseconds of the floor") }
  static var amount: Self { own("amount") }

  private static func own(_ name: String) -> Self {
    .custom(name, polarity: .prefersSmaller, useScalingFactor: false)
  }
}

extension Benchmark.Configuration {
  /// The tool exports what has a throughput only.
  static func rounds(_ count: Int) -> Self {
    .init(
      metrics: [.throughput, .thousandths, .subject, .floor], warmupIterations: 1,
      maxDuration: .seconds(60), maxIterations: count)
  }

  static func amounts(_ count: Int) -> Self {
    .init(
      metrics: [.throughput, .amount], warmupIterations: 0, maxDuration: .seconds(60),
      maxIterations: count)
  }
}
