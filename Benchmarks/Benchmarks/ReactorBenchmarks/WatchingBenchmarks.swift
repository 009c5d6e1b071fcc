import Benchmark
import Reactor

/// An array in the state, watched by somebody who wants the newest only: what a mutation costs must not
/// depend on how long the array is.
func measureWatching() {
  for count in [10, 10_000, 100_000] {
    Benchmark("Newest only: an array of \(count)") { benchmark in
      let reactor = ArrayReactor(count: count)
      var states = reactor.state.buffering(.newest).makeAsyncIterator()
      _ = await states.next()
      // The observer has the state in its hands: the first mutation copies it, the others do not.
      await reactor.send(3).settled
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations { reactor.send(3) }
      await reactor.send(3).settled
      benchmark.stopMeasurement()
      blackHole(await states.next())
    }
  }
}

private actor ArrayReactor: Reactor {
  typealias Action = Int

  let initialState: [Int]
  let pipeline = Pipeline()

  init(count: Int) { initialState = Array(repeating: 0, count: count) }

  func reduce(state: inout [Int], mutation: Int) { state[mutation] += 1 }
}
