import Benchmark

/// Every figure stands next to what it is to be compared with, in the same run.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], warmupIterations: 3, scalingFactor: .kilo, maxDuration: .seconds(3),
    maxIterations: 200)
  measureLanes()
  measureWatching()
  measureListChanges()
}
