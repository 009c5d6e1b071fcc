import Reactor
import Workloads

/// Prints how cost grows, as lines of `curve,x,value`, for plots.py; or one curve, if it is named.
@main
enum Growth {
  @concurrent
  static func main() async {
    let curves: [(name: String, body: @Sendable () async -> Void)] = [
      ("observers", observers), ("reactors", reactors), ("effects", effects), ("lanes", lanes),
      ("queued", queued), ("memory", memory), ("listeners", listeners),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    for (name, body) in curves where wanted.isEmpty || wanted.contains(name) { await body() }
  }

  /// The shortest of some tries, which is the one least interrupted.
  static func shortest(_ tries: Int = 5, _ body: () async -> Double) async -> Double {
    var shortest = Double.infinity
    for _ in 0..<tries { shortest = min(shortest, await body()) }
    return shortest
  }

  static func tell(_ curve: String, _ x: Int, _ value: Double) { print("\(curve),\(x),\(value)") }
}

extension Duration {
  /// Nanoseconds of one, where it took so long to do so many.
  func each(_ count: Int) -> Double { self / .nanoseconds(1) / Double(count) }
}

// MARK: Memory

extension Growth {
  @Sendable
  private static func memory() async {
    // They stay: what had been given back would not be counted again. Smaller numbers drown in what the
    // process holds anyway.
    var kept: [[Counter]] = []
    for count in [10_000, 100_000, 1_000_000] {
      let before = Memory.residentBytes ?? 0
      kept.append(await Memory.make(count, isUsed: true))
      let bytes = (Memory.residentBytes ?? 0) - before
      tell("bytes resident of a reactor", count, Double(bytes / count))
    }
  }
}

// MARK: Observers and reactors

extension Growth {
  @Sendable
  private static func observers() async {
    for count in [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000] {
      // What they were sent is not taken: that would be 100 million states.
      let workload = Watching.busyObservers(count, takeAll: false)
      tell("observers, busy", count, await shortest { await workload(10_000).wall.each(10_000) })
      let mutations = max(5, 30_000 / count)
      let waiting = Watching.waitingObservers(count)
      tell(
        "observers, in time", count,
        await shortest { await waiting(mutations).wall.each(mutations) })
    }
  }

  @Sendable
  private static func reactors() async {
    for count in [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] {
      let reactors = await Memory.make(count, isUsed: true)
      let sends = max(count, 10_000)
      let spread = await shortest(3) {
        let start = ContinuousClock.now
        for index in 0..<sends { reactors[index % count].send(.increase) }
        for reactor in reactors { await reactor.send(.increase).settled }
        return (ContinuousClock.now - start).each(sends + count)
      }
      tell("reactors, an action each in turn", count, spread)
    }
  }
}
