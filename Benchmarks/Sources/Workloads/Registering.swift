import Reactor
import ReactorComposition
import Synchronization

package enum Registering {
  /// Uses the live reactor of a key, again and again, among a thousand.
  package static let lookUp: Workload = { count in
    let counters = ReactorRegistry<Int, Counter>(idle: .seconds(3600)) { _ in Counter() }
    for id in 0..<1000 { try? await counters[id].send(.increase) }
    let watch = Stopwatch()
    var found = 0
    for id in 0..<count { try? await counters.with(id % 1000) { _ in found += 1 } }
    let reading = watch.reading
    check(found, is: count)
    await counters.stop()
    return reading
  }

  /// So many keys come and go, a thousand at a time.
  package static let comeAndGo: Workload = { count in
    let clock = SteppedClock()
    let counters = ReactorRegistry<Int, Counter>(idle: .seconds(1), clock: clock) { _ in Counter() }
    let watch = Stopwatch()
    for id in 0..<count {
      try? await counters[id].send(.increase)
      guard id % 1000 == 999 || id == count - 1 else { continue }
      while counters.count > 0 {
        clock.step()
        await Task.yield()
      }
    }
    let reading = watch.reading
    check(counters.count, is: 0)
    return reading
  }
}

package enum RegisteringFloors {
  /// Looks a counter up in a dictionary behind a lock.
  package static let lockedDictionary: Workload = { count in
    let counters = Mutex<[Int: Counter]>([:])
    for id in 0..<1000 { counters.withLock { $0[id] = Counter() } }
    let watch = Stopwatch()
    var found = 0
    for id in 0..<count where counters.withLock({ $0[id % 1000] }) != nil { found += 1 }
    let reading = watch.reading
    check(found, is: count)
    return reading
  }
}

/// A clock that goes on by a second when it is told to; whoever sleeps looks again until it has.
private final class SteppedClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var seconds: Duration
    func advanced(by duration: Duration) -> Instant { Instant(seconds: seconds + duration) }
    func duration(to other: Instant) -> Duration { other.seconds - seconds }
    static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
  }

  private let time = Mutex(Instant(seconds: .zero))

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .seconds(1) }

  func step() { time.withLock { $0.seconds += .seconds(1) } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    while now < deadline {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
