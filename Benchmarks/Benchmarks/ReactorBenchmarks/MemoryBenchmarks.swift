import Benchmark
import Workloads

/// What idle reactors weigh.
///
/// Not ratios: bytes are the same on every machine with this C library.
func measureMemory() {
  weigh("bytes of a reactor beside its State, not used yet ≤ 300", rounds: 3) {
    await Memory.bytesPerReactor(100_000, isUsed: false)
  }
  weigh("bytes of a reactor beside its State, used and idle ≤ 300", rounds: 3) {
    await Memory.bytesPerReactor(100_000, isUsed: true)
  }
  weigh("megabytes resident of 1000000 idle reactors ≤ 400", rounds: 1) {
    await Memory.resident(1_000_000, isUsed: true).map { ($0 + 500_000) / 1_000_000 }
  }
  weigh("threads of 100000 idle reactors ≤ 0", rounds: 3) { await Memory.threadsOf(100_000) }
}

private func weigh(_ title: String, rounds: Int, _ amount: @escaping @Sendable () async -> Int?) {
  Benchmark(title, configuration: .amounts(rounds)) { benchmark in
    guard let amount = await amount() else { return }
    benchmark.measurement(.amount, amount)
    // The tool leaves out what it has no throughput of, which is so with all that takes a second.
    benchmark.startMeasurement()
    benchmark.stopMeasurement()
  }
}
