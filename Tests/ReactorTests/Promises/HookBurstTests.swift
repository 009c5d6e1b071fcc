import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What happens in the middle of a burst whose turns the hook's task takes.
@Suite(.bounded(minutes: 10)) struct HookBurstTests {
  @Test func `what a hook sends waits its turn, however many there are`() async {
    let burst = TestCounts.rounds(1_000)
    let reactor = MutationHookedReactor.make { reactor, number in
      if number < 5 * burst { reactor?.send(number + burst) }
    }
    await reactor.sendAll(0..<burst).last?.settled
    #expect(await reactor.state.first { $0.count == 6 * burst } == Array(0..<6 * burst))
  }

  @Test func `what mutate and reduce send waits its turn`() async {
    let last = TestCounts.rounds(3_000)
    let reactor = MutationHookedReactor.make { reactor, action in
      if action < last { reactor.send(action + 1) }
      return .just(action)
    } inHook: { _, _ in
    }
    reactor.send(0)
    #expect(await reactor.state.first { $0.count == last + 1 } == Array(0...last))
  }

  @Test func `reactors whose hooks send to each other do not nest`() async {
    let other = Guarded<MutationHookedReactor?>(nil)
    let last = 2 * TestCounts.rounds(10_000)
    let first = MutationHookedReactor.make { _, number in
      if number < last { other.withLock { $0 }?.send(number + 1) }
    }
    let second = MutationHookedReactor.make { [weak first] _, number in
      if number < last { first?.send(number + 1) }
    }
    other.withLock { $0 = second }
    first.send(0)
    #expect(await first.state.first { $0.last == last }?.count == last / 2 + 1)
    other.withLock { $0 = nil }
  }

  @Test func `after a restart the new hook takes turns too`() async {
    let reactor = MutationHookedReactor.make { _, _ in }
    await reactor.sendAll(1...10).last?.settled
    await reactor.stop().settled
    await reactor.restart(from: [])
    await reactor.sendAll(1...100).last?.settled
    #expect(await reactor.currentState == Array(1...100))
  }

  @Test func `a stream of actions receives every action, once its turn is over`() async {
    let reactor = MutationHookedReactor.make { _, action in
      action == 5 ? .of(5, 5) : .just(action)
    } inHook: { _, _ in
    }
    let actions = reactor.actions()
    await reactor.sendAll(1...10)
    for action in 1...10 { #expect(await actions.next() == action) }
  }

  @Test func `a tracked action in the middle is tracked, with what it sends`() async {
    let reactor = MutationHookedReactor.make { reactor, action in
      if action == 5 { reactor.send(100) }
      return action == 100 ? .run { emit in await emit(100) } : .just(action)
    } inHook: { _, _ in
    }
    let tracked = await reactor.turn { reactor in
      reactor.sendAll(1...4)
      let tracked = reactor.sendTracked(5)
      reactor.sendAll(6...9)
      return tracked
    }
    await tracked.settled
    #expect(await reactor.currentState == Array(1...9) + [100])
  }

  @Test func `an action from another thread gets its place in a burst`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = MutationHookedReactor { _, mutation in Erased(mutation.merging(outside)) }
    for number in 1...100 { continuation.yield(-number) }
    let count = TestCounts.rounds(2_000)
    await reactor.sendAll(1...count).last?.settled
    let state = await reactor.state.first { $0.count == count + 100 } ?? []
    #expect(state.filter { $0 > 0 } == Array(1...count))
    #expect(state.filter { $0 < 0 } == (1...100).map { -$0 })
  }

  @Test func `a hook that ends in a burst is bypassed`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.map { $0 * 10 }.prefix(3))
    }
    await reactor.sendAll(1...6).last?.settled
    #expect(await reactor.currentState == [10, 20, 30, 4, 5, 6])
    #expect(reactor.reports.problems == ["hookEnded(mutation)"])
  }
}
