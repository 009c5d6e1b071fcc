import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// The end of a reactor whose job has just taken many actions: what is requested during the end,
/// and after a restart, has a job.
@Suite(.bounded) struct EndAfterBurstTests {
  @Test(arguments: [8, 1_024])
  func `a reactor that is stopped behind a burst takes actions after a restart`(
    burst: Int
  ) async {
    let taken = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      taken.append(action)
      return .just(action)
    }
    let stopped = await reactor.turn { reactor in
      for action in 1...burst { reactor.send(action) }
      return reactor.stop()
    }
    await stopped.settled
    await reactor.restart()
    reactor.send(0)
    #expect(await taken.entries(upTo: burst + 1).last == 0)
  }

  @Test func `a reactor that is stopped behind a burst can be stopped again later`() async {
    let reactor = ScriptedReactor()
    let first = await reactor.turn { reactor in
      for action in 1...8 { reactor.send(action) }
      return reactor.stop()
    }
    await first.settled
    await reactor.restart()
    await reactor.stop().settled
    #expect(await reactor.currentState.count == 8)
  }

  @Test func `a drain behind a burst starts what waits for the time of its lane`() async {
    let clock = ManualClock()
    clock.advanceAutomatically()
    let reactor = LanedReactor(script: LanedReactor.echo) { _, _ in
      .sequential("a").spaced(by: .steps(1), clock: clock)
    }
    let drained = await reactor.turn { reactor in
      for action in 0..<10 { reactor.send(action) }
      return reactor.stop(.drain)
    }
    await drained.settled
    #expect(await reactor.currentState == Array(0..<10))
  }

  @Test func `a drain behind a burst starts what waits for a slot`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let (first, drained) = await reactor.turn { reactor in
      let first = reactor.send(0)
      for action in 1..<9 { reactor.send(action) }
      return (first, reactor.stop(.drain))
    }
    _ = await reactor.started.entries(upTo: 1)
    first.cancel()
    for gate in reactor.gates { gate.open() }
    await drained.settled
    #expect(await reactor.currentState == Array(1..<9))
  }

  @Test func `a state hook that merges an endless sequence ends after a restart, too`() async {
    let (endless, ticks) = AsyncStream<[Int]>.makeStream()
    let reactor = StateHookedReactor { _, state in Erased(merge(state, endless)) }
    var early = reactor.state.makeAsyncIterator()
    _ = await early.next()
    for action in 0..<5 { await reactor.send(action).settled }
    await reactor.stop().settled
    await reactor.restart()
    var states = reactor.state.makeAsyncIterator()
    await reactor.send(5).settled
    reactor.stop()
    var last: [Int]?
    while let state = await states.next() { last = state }
    #expect(last == Array(0...5))
    ticks.finish()
    withExtendedLifetime(reactor) {}
  }
}
