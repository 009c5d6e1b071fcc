import Benchmark

/// Every figure stands next to what it is to be compared with, in the same run.
///
/// `make bench` prints the ratios; the names say what it needs: what ÷ its floor ≤ the target.
let benchmarks: @Sendable () -> Void = {
  measureTargets()
  measurePeers()
  measureLanes()
  measureListChanges()
}
