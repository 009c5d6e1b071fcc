/// What watching is held against.
package enum WatchingFloors {
  /// `AsyncStream`, one producer, one consumer, until the last has come.
  package static let asyncStream: Workload = asyncStreams(1)

  /// A stream for each of so many consumers, all fed by one producer, until the last has come to all.
  package static func asyncStreams(_ consumers: Int) -> Workload {
    { count in
      let streams = (0..<consumers).map { _ in AsyncStream<Counter.State>.makeStream() }
      let observers = streams.map { stream in Task { await last(of: stream.stream, count) } }
      let watch = Stopwatch()
      for value in 1...count {
        for stream in streams { stream.continuation.yield(Counter.State(value: value)) }
      }
      for observer in observers { check(await observer.value, is: count) }
      return watch.reading
    }
  }

  private static func last(of stream: AsyncStream<Counter.State>, _ count: Int) async -> Int {
    var states = stream.makeAsyncIterator()
    var last = 0
    while last < count, let state = await states.next() { last = state.value }
    return last
  }

  /// The same in step: one element there, one back, so that every one is waited for.
  package static let asyncStreamInStep: Workload = { count in
    let (there, sender) = AsyncStream<Int>.makeStream()
    let (back, answerer) = AsyncStream<Int>.makeStream()
    let other = Task { for await value in there { answerer.yield(value) } }
    var answers = back.makeAsyncIterator()
    let watch = Stopwatch()
    for value in 0..<count {
      sender.yield(value)
      check(await answers.next(), is: value)
    }
    let reading = watch.reading
    sender.finish()
    await other.value
    return reading
  }
}
