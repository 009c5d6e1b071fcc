import TestSupport
import Testing

@testable import Reactor

/// What may happen in the middle of a burst whose turns the hook's task takes.
@Suite(.timeLimit(.minutes(5))) struct HookTurnCornerTests {
  /// A reactor whose hook does something with each mutation before it passes it on.
  private func makeReactor(
    _ script: @escaping MutationHookedReactor.Script = MutationHookedReactor.echo,
    inHook body: @escaping @Sendable (MutationHookedReactor?, Int) -> Void
  ) -> MutationHookedReactor {
    MutationHookedReactor(
      hook: { reactor, mutation in
        Erased(
          mutation.map { [weak reactor] number in
            body(reactor, number)
            return number
          })
      }, script)
  }

  @Test func `what a hook sends waits its turn, however many there are`() async {
    let reactor = makeReactor { reactor, number in
      if number < 5000 { reactor?.send(number + 1000) }
    }
    await reactor.sendAll(0..<1000).last?.settled
    #expect(await reactor.state.first { $0.count == 6000 } == Array(0..<6000))
  }

  @Test func `what mutate and reduce send waits its turn`() async {
    let reactor = makeReactor { reactor, action in
      if action < 3000 { reactor.send(action + 1) }
      return .just(action)
    } inHook: { _, _ in
    }
    reactor.send(0)
    #expect(await reactor.state.first { $0.count == 3001 } == Array(0...3000))
  }

  @Test func `reactors whose hooks send to each other do not nest`() async {
    let other = Guarded<MutationHookedReactor?>(nil)
    let first = makeReactor { _, number in
      if number < 20_000 { other.withLock { $0 }?.send(number + 1) }
    }
    let second = makeReactor { [weak first] _, number in
      if number < 20_000 { first?.send(number + 1) }
    }
    other.withLock { $0 = second }
    first.send(0)
    #expect(await first.state.first { $0.last == 20_000 }?.count == 10_001)
    other.withLock { $0 = nil }
  }

  @Test func `a stop from inside the hook lets pass what was sent before`() async {
    let reactor = makeReactor { reactor, number in if number == 3 { reactor?.stop() } }
    let receipts = await reactor.sendAll(1...10)
    for receipt in receipts { await receipt.settled }
    await reactor.stop().settled
    #expect(await reactor.currentState == Array(1...10))
    #expect(reactor.send(11).isRefused)
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `a hurried stop from inside the hook settles every receipt`() async {
    let reactor = makeReactor { reactor, number in
      guard number == 3 else { return }
      reactor?.stop()
      reactor?.stop()
    }
    let receipts = await reactor.sendAll(1...10)
    for receipt in receipts { await receipt.settled }
    await reactor.stop().settled
    #expect(await reactor.currentState.starts(with: [1, 2]))
  }

  @Test func `after a restart the new hook takes turns too`() async {
    let reactor = makeReactor { _, _ in }
    await reactor.sendAll(1...10).last?.settled
    await reactor.stop().settled
    await reactor.restart(from: [])
    await reactor.sendAll(1...100).last?.settled
    #expect(await reactor.currentState == Array(1...100))
  }

  @Test func `an action that the hook cancels is never taken`() async {
    let receipts = Guarded<[ActionReceipt<MutationHookedReactor>]>([])
    let taken = Log<Int>()
    let reactor = makeReactor { _, action in
      taken.append(action)
      return .just(action)
    } inHook: { _, number in
      if number == 2 { receipts.withLock { $0[4] }.cancel() }
    }
    let all = await reactor.turn { reactor in
      let all = reactor.sendAll(0..<10)
      receipts.withLock { $0 = all }
      return all
    }
    for receipt in all { await receipt.settled }
    #expect(taken.entries == [0, 1, 2, 3, 5, 6, 7, 8, 9])
    #expect(await reactor.currentState == taken.entries)
  }

  @Test func `an action that cancels itself in mutate leads to nothing, whatever it would have`()
    async
  {
    let receipts = Guarded<[ActionReceipt<MutationHookedReactor>]>([])
    let reactor = makeReactor { _, action in
      if action > 2 { receipts.withLock { $0[action] }.cancel() }
      return switch action {
      case 3: .of(3, 3)
      case 4: .run { emit in await emit(4) }
      default: .just(action)
      }
    } inHook: { _, _ in
    }
    let all = await reactor.turn { reactor in
      let all = reactor.sendAll(0...5)
      receipts.withLock { $0 = all }
      return all
    }
    for receipt in all { await receipt.settled }
    #expect(await reactor.currentState == [0, 1, 2])
  }

  @Test func `whoever listens is told of every action, once its turn is over`() async {
    let reactor = makeReactor({ _, action in action == 5 ? .of(5, 5) : .just(action) }) { _, _ in }
    let actions = reactor.actions()
    await reactor.sendAll(1...10)
    for action in 1...10 { #expect(await actions.next() == action) }
  }

  @Test func `a tracked action in the middle is tracked, with what it sends`() async {
    let reactor = makeReactor { reactor, action in
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

  @Test func `what comes from elsewhere gets its place in a burst`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = MutationHookedReactor { _, mutation in Erased(mutation.merging(outside)) }
    for number in 1...100 { continuation.yield(-number) }
    await reactor.sendAll(1...1000).last?.settled
    let state = await reactor.state.first { $0.count == 1100 } ?? []
    #expect(state.filter { $0 > 0 } == Array(1...1000))
    #expect(state.filter { $0 < 0 } == (1...100).map { -$0 })
  }

  @Test func `a hook that ends in a burst is passed by`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.map { $0 * 10 }.prefix(3))
    }
    await reactor.sendAll(1...6).last?.settled
    #expect(await reactor.currentState == [10, 20, 30, 4, 5, 6])
    #expect(reactor.reports.problems == ["hookEnded(mutation)"])
  }
}

extension MutationHookedReactor {
  /// Does something on the reactor, in one go.
  fileprivate func turn<Value: Sendable>(
    _ body: @Sendable (isolated MutationHookedReactor) -> Value
  ) -> Value { body(self) }
}
