import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// Many threads at once.
///
/// With the thread sanitizer, `REACTOR_HAMMER=1` makes one per cent of the rounds.
@Suite(.bounded, .serialized) struct HammeringTests {
  @Test func `8 threads send 10 000 each: none lost, each in order`() async {
    let count = TestCounts.rounds(10_000)
    let reactor = HammeredReactor(senders: 8)
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<count { reactor.send(.init(sender: sender, number: number)) }
        }
      }
    }
    await reactor.stop().settled
    let state = await reactor.currentState
    #expect(state.total == 8 * count)
    #expect(state.next == Array(repeating: count, count: 8))
    #expect(state.isOrdered)
  }

  @Test func `8 observers join and leave meanwhile and see no gap`() async {
    let count = TestCounts.rounds(10_000)
    let reactor = HammeredReactor(senders: 8)
    let gaps = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { await watchInPieces(reactor.state) }
      }
      await withTaskGroup { senders in
        for sender in 0..<8 {
          senders.addTask {
            for number in 0..<count { reactor.send(.init(sender: sender, number: number)) }
          }
        }
      }
      reactor.stop()
      return await group.reduce(0, +)
    }
    #expect(gaps == 0)
    #expect(await reactor.currentState.total == 8 * count)
  }

  @Test func `10 000 reactors are created, sent to and released: none is left`() async {
    let released = Log<Int>()
    let count = TestCounts.rounds(10_000)
    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<(count / 4) {
            let reactor = ShortLivedReactor(released)
            reactor.send(number)
            if number % 3 == 0 { await reactor.send(worker).settled }
            if number % 5 == 0 { _ = await reactor.state.first { _ in true } }
            if number % 7 == 0 { reactor.stop() }
          }
        }
      }
    }
    let all = await released.entries(upTo: count / 4 * 4)
    #expect(all.count == count / 4 * 4)
  }

  @Test func `10 000 observers come and go, and the next one sees the state`() async {
    let reactor = ScriptedReactor()
    for number in 0..<TestCounts.rounds(10_000) {
      var states = reactor.state.buffering(number % 2 == 0 ? .everyState : .newest)
        .makeAsyncIterator()
      if number % 4 < 2 { #expect(await states.next() == []) }
    }
    await reactor.send(1).settled
    #expect(await reactor.state.first { _ in true } == [1])
  }

  @Test func `cancels race with sends: everything settles, and what is silenced is silent`() async {
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        await Task { await emit(action) }.value
      }
    }
    let count = TestCounts.rounds(2_000)
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          var receipts: [ActionReceipt<ScriptedReactor>] = []
          for number in 0..<count {
            let receipt = reactor.send(sender * count + number)
            if number % 2 == 0 { receipt.cancel() }
            if number % 10 == 0 { await receipt.settled }
            receipts.append(receipt)
          }
          for receipt in receipts { await receipt.settled }
        }
      }
    }
    var seen = Array(repeating: 0, count: 4 * count)
    for action in await reactor.currentState { seen[action] += 1 }
    let kept = seen.indices.filter { $0 % count % 2 == 1 }
    #expect(kept.allSatisfy { seen[$0] == 2 })
    #expect(seen.allSatisfy { $0 <= 2 })
    #expect(reactor.reports.count == 0)
  }

  @Test func `stop races with sends: taken or refused, nothing between`() async {
    for _ in 0..<TestCounts.rounds(500) {
      let reactor = ScriptedReactor()
      let accepted = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var accepted = 0
            for number in 0..<20 where !reactor.send(number).isRefused { accepted += 1 }
            return accepted
          }
        }
        group.addTask {
          await reactor.stop().settled
          return 0
        }
        return await group.reduce(0, +)
      }
      #expect(await reactor.currentState.count == accepted)
      #expect(reactor.reports.count == 80 - accepted)
    }
  }

  @Test func `releases race with observers and effects`() async {
    for _ in 0..<TestCounts.rounds(2_000) {
      let gate = Gate()
      var reactor: ScriptedReactor? = ScriptedReactor { _, action in
        .run { emit in
          await emit(action)
          try await gate.wait()
        }
      }
      let receipt = reactor?.send(1)
      let stream = reactor?.state
      async let seen = stream?.all()
      async let settled: Void? = receipt?.settled
      reactor = nil
      await settled
      let states = await seen ?? []
      #expect([[], [[1]], [[], [1]], [[]]].contains(states))
    }
  }

  @Test func `a million states behind one slow observer are released`() async {
    let count = TestCounts.rounds(1_000_000)
    let reactor = TickReactor()
    do {
      var slow = reactor.state.makeAsyncIterator()
      #expect(await slow.next() == 0)
      for _ in 1..<count { reactor.send(1) }
      await reactor.send(1).settled
      #expect(await slow.next() == 1)
    }
    #expect(await reactor.currentState == count)
    #expect(await reactor.state.first { _ in true } == count)
  }

  @Test func `a million states behind an observer outlive their reactor`() async {
    let count = TestCounts.rounds(1_000_000)
    var reactor: TickReactor? = TickReactor()
    var slow = reactor?.state.makeAsyncIterator()
    #expect(await slow?.next() == 0)
    for _ in 1...count { reactor?.send(1) }
    await reactor?.stop().settled
    reactor = nil
    #expect(await slow?.next() == 1)
    slow = nil
  }

  @Test func `an effect reads its writes while a merge brings others`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(merge(mutation, outside))
    } _: { reactor, action in
      .run { emit in
        for number in 1...TestCounts.rounds(500) {
          await emit(number)
          #expect(reactor.currentState.contains(number))
        }
      }
    }
    let noise = Task {
      for number in 0..<TestCounts.rounds(1_000) { continuation.yield(-number) }
    }
    await reactor.send(0).settled
    await noise.value
    continuation.finish()
    #expect(await reactor.currentState.filter { $0 > 0 } == Array(1...TestCounts.rounds(500)))
  }

  @Test func `a receipt settles after its action, while a merge brings others`() async {
    let (outside, continuation) = AsyncStream<Int>.makeStream()
    let reactor = ActionHookedReactor { _, action in Erased(merge(action, outside)) }
    var early = 0
    for number in 1...TestCounts.rounds(1_000) {
      async let noise: Void = { _ = continuation.yield(-number) }()
      await reactor.send(number).settled
      if !(await reactor.currentState.contains(number)) { early += 1 }
      await noise
    }
    #expect(early == 0)
    continuation.finish()
  }
}

/// Observes in pieces of a hundred states; counts the places where a state is missing or repeated.
private func watchInPieces(_ stream: StateStream<HammeredReactor.State>) async -> Int {
  var gaps = 0
  while true {
    var states = stream.makeAsyncIterator()
    guard var last = await states.next()?.total else { return gaps }
    for _ in 0..<100 {
      guard let total = await states.next()?.total else { return gaps }
      if total != last + 1 { gaps += 1 }
      last = total
    }
  }
}
