import Reactor
import TestLimits
import TestSupport
import Testing

/// Cases 30 to 32 of the peers' acceptance cases; one step of the clock stands for a millisecond.
@Suite(.bounded) struct LaneTimingTests {
  private let clock = ManualClock()

  private func reactor(
    script: @escaping LanedReactor.Script = LanedReactor.echo,
    _ lane: @escaping @Sendable (ManualClock) -> Lane
  ) -> LanedReactor {
    LanedReactor(script: script) { [clock] _, _ in lane(clock) }
  }

  @Test func `debounce: only an action that no other follows within the time runs`() async {
    let reactor = reactor { .concurrent("a").debounced(for: .steps(30), clock: $0) }
    for (action, moment) in [(0, 0), (1, 20), (2, 40), (3, 80), (4, 120)] {
      clock.advance(to: moment)
      // What has been quiet for long enough begins before the next one comes.
      _ = await reactor.started.entries(upTo: [0, 0, 0, 1, 2][action])
      reactor.send(action)
      await reactor.flush()
    }
    clock.advance(to: 140)
    reactor.cancel(lane: "a")
    await reactor.flush()
    clock.advance(to: 1000)
    await reactor.flush()
    #expect(reactor.started.entries == [2, 3])
    #expect(reactor.reports.problems == ["superseded(a)", "superseded(a)"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [0, 1])
  }

  @Test func `debounce: nothing of the action is begun before, and its receipt waits`() async {
    let reactor = reactor { .concurrent("a").debounced(for: .steps(30), clock: $0) }
    let receipt = reactor.send(1)
    await reactor.flush()
    #expect(reactor.started.entries == [])
    clock.advance(to: 29)
    await reactor.flush()
    #expect(reactor.started.entries == [])
    clock.advance(to: 30)
    await receipt.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `debounce and latest: the newer search evicts the older`() async {
    let reactor = reactor(script: LanedReactor.gated) {
      .latest("a").debounced(for: .steps(30), clock: $0)
    }
    let first = reactor.send(1)
    await clock.advance(past: 30)
    _ = await reactor.started.entries(upTo: 1)
    reactor.send(2)
    await reactor.flush()
    #expect(reactor.reports.problems == [])
    await clock.advance(past: 60)
    await first.settled
    #expect(reactor.reports.problems == ["evicted(a)"])
    _ = await reactor.started.entries(upTo: 2)
    await reactor.finish(2)
    #expect(await reactor.state.first { $0 == [2] } == [2])
  }

  @Test func `an action that is not debounced supersedes the one that is held`() async {
    let reactor = LanedReactor { [clock] _, action in
      action == 1 ? .latest("a").debounced(for: .steps(3), clock: clock) : .latest("a")
    }
    let receipts = await reactor.sendAll([1, 2])
    await receipts[0].settled
    clock.advance(to: 3)
    await reactor.flush()
    await reactor.finish(2)
    await receipts[1].settled
    #expect(await reactor.currentState == [2])
    #expect(reactor.started.entries == [2])
    #expect(reactor.reports.problems == ["superseded(a)"])
  }

  @Test func `debounce: a superseded action's receipt settles`() async {
    let reactor = reactor { .concurrent("a").debounced(for: .steps(30), clock: $0) }
    let receipts = await reactor.sendAll([1, 2])
    await receipts[0].settled
    #expect(reactor.reports.problems == ["superseded(a)"])
  }

  @Test func `throttle, latest: the first at once, then the last of each window`() async {
    let reactor = reactor { .concurrent("a").throttled(for: .steps(100), clock: $0) }
    // As in redux-saga, every tenth action comes just before the window closes.
    for action in 0..<35 {
      reactor.send(action)
      await reactor.flush()
      if action % 10 == 0, action > 0 {
        clock.advance(to: action * 10)
        _ = await reactor.started.entries(upTo: action / 10 + 1)
      }
    }
    clock.advance(to: 400)
    _ = await reactor.started.entries(upTo: 5)
    #expect(reactor.started.entries == [0, 10, 20, 30, 34])
    await reactor.flush()
    reactor.send(40)
    reactor.cancel(lane: "a")
    await reactor.flush()
    clock.advance(to: 1000)
    await reactor.flush()
    #expect(reactor.started.entries == [0, 10, 20, 30, 34])
    #expect(reactor.reports.entries.count == 35 - 5)
  }

  @Test func `throttle, first: the first of each window`() async {
    let reactor = reactor {
      .concurrent("a").throttled(for: .steps(100), latest: false, clock: $0)
    }
    await reactor.sendAll(0..<4)
    await reactor.flush()
    #expect(reactor.started.entries == [0])
    #expect(reactor.reports.problems == ["dropped(a)", "dropped(a)"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [2, 3])
    await clock.advance(past: 100)
    #expect(await reactor.started.entries(upTo: 2) == [0, 1])
    await clock.advance(past: 200)
    await reactor.flush()
    reactor.send(5)
    #expect(await reactor.started.entries(upTo: 3) == [0, 1, 5])
  }

  @Test func `spacing: starts keep their distance, in order`() async {
    let reactor = reactor { .concurrent("a").spaced(by: .steps(10), clock: $0) }
    await reactor.sendAll(0..<3)
    await reactor.flush()
    #expect(reactor.started.entries == [0])
    await clock.advance(past: 10)
    #expect(await reactor.started.entries(upTo: 2) == [0, 1])
    await clock.advance(past: 20)
    #expect(await reactor.started.entries(upTo: 3) == [0, 1, 2])
    #expect(reactor.reports.problems == [])
  }

  @Test func `spacing in a leading lane drops actions within the distance`() async {
    let reactor = reactor { .leading("a").spaced(by: .steps(10), clock: $0) }
    await reactor.sendAll(0..<3)
    await reactor.flush()
    #expect(reactor.started.entries == [0])
    #expect(reactor.reports.problems == ["dropped(a)", "dropped(a)"])
    await clock.advance(past: 10)
    await reactor.flush()
  }

  @Test func `spacing in a latest lane: the newest waits`() async {
    let reactor = reactor { .latest("a").spaced(by: .steps(10), clock: $0) }
    await reactor.sendAll(0..<4)
    await reactor.flush()
    #expect(reactor.started.entries == [0])
    #expect(reactor.reports.problems == ["superseded(a)", "superseded(a)"])
    await clock.advance(past: 10)
    #expect(await reactor.started.entries(upTo: 2) == [0, 3])
  }

  @Test func `a lane whose timer runs does not retain its reactor`() async {
    var reactor: LanedReactor? = reactor {
      .concurrent("a").debounced(for: .steps(30), clock: $0)
    }
    let released = reactor?.released
    let receipt = reactor?.send(1)
    await reactor?.flush()
    #expect(clock.sleeperCount == 1)
    reactor = nil
    await released?.pass()
    await receipt?.settled
    _ = await clock.ends.entries(upTo: 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a lane whose timer runs is released with its reactor, though none waits`()
    async
  {
    var reactor: LanedReactor? = reactor {
      .concurrent("a").throttled(for: .steps(30), clock: $0)
    }
    let released = reactor?.released
    await reactor?.send(1).settled
    #expect(clock.sleeperCount == 1)
    reactor = nil
    await released?.pass()
    _ = await clock.ends.entries(upTo: 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `what waits for a slot leaves no timer behind when the reactor is stopped`() async {
    let reactor = reactor(script: LanedReactor.stubborn) {
      .sequential("a").spaced(by: .steps(10), clock: $0)
    }
    await reactor.sendAll(1...2)
    await clock.advance(past: 10)
    await reactor.flush()
    let stopped = reactor.stop()
    _ = await reactor.reports.entries(upTo: 1)
    await reactor.finish(1)
    await stopped.settled
    #expect(await reactor.turn { _ in clock.sleeperCount } == 0)
  }
}
