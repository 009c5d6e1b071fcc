import Reactor
import TestLimits
import TestSupport
import Testing

/// What a cancelled effect still emits is ignored.
@Suite(.bounded) struct CancellationTests {
  @Test(arguments: [true, false])
  func `after cancel, what an effect that ignores it emits is ignored`(_ usesSelf: Bool) async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard usesSelf else { return stubborn(gate) }
      return .run { emit in
        reactor.assertIsolated()
        await emit(1)
        await gate.pass()
        await emit(2)
        await emit(3)
      }
    }
    let receipt = reactor.send(0)
    await gate.reached()
    // The turn may still be about to reduce what the effect has set aside at its start.
    #expect(await reactor.currentState == [1])
    receipt.cancel()
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.count == 0)
  }

  @Test func `a cancelled effect's task is cancelled`() async {
    let gate = Gate()
    let sawIt = Log<Bool>()
    let reactor = ScriptedReactor { _, _ in
      .run { _ in
        try? await gate.wait()
        sawIt.append(Task.isCancelled)
      }
    }
    let receipt = reactor.send(0)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    #expect(sawIt.entries == [true])
  }

  @Test func `an action cancelled before it is taken never is`() async {
    let taken = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      taken.append(action)
      return .just(action)
    }
    let receipts = await reactor.turn { reactor in
      let receipts = (1...5).map { reactor.send($0) }
      receipts[1].cancel()
      receipts[3].cancel()
      return receipts
    }
    for receipt in receipts { await receipt.settled }
    #expect(taken.entries == [1, 3, 5])
    #expect(await reactor.currentState == [1, 3, 5])
  }

  @Test func `an effect that cancels itself while it starts emits nothing more`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        await emit(1)
        own.entries.first?.cancel()
        await emit(2)
        reactor.note("ran on")
      }
    }
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(0)
      own.append(receipt)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == [1])
    #expect(await reactor.lines == ["ran on"])
  }

  @Test func `a mutation deferred at the start is ignored once reduce cancels it`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in if mutation == 1 { own.entries.first?.cancel() } },
      script: { _, _ in .run { emit in for number in 1...3 { await emit(number) } } })
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(0)
      own.append(receipt)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `cancelling one action leaves the others alone`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    let receipts = (1...3).map { reactor.send($0) }
    await gate.reached(by: 3)
    receipts[1].cancel()
    await receipts[1].settled
    gate.open()
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState.sorted() == [1, 3])
  }

  @Test func `cancelling silences every part of a merge`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      .merge(
        stubborn(gate), stubborn(gate),
        .run { emit in
          reactor.assertIsolated()
          await gate.pass()
          await emit(9)
        })
    }
    let receipt = reactor.send(0)
    await gate.reached(by: 3)
    receipt.cancel()
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [1, 1])
  }

  @Test func `cancelling what has ended changes nothing`() async {
    let reactor = ScriptedReactor()
    let receipt = reactor.send(1)
    await receipt.settled
    receipt.cancel()
    receipt.cancel()
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `what the cancelled work had sent is not touched`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { _ in
        reactor.send(2)
        try await gate.wait()
      }
    }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    await reactor.send(3).settled
    #expect(await reactor.currentState == [2, 3])
  }

  @Test func `the latest search wins by cancelling the receipt before it`() async {
    let gates = (0..<3).map { _ in Gate() }
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await gates[action].pass()
        await emit(action)
      }
    }
    var receipts: [ActionReceipt<ScriptedReactor>] = []
    for query in 0..<3 {
      receipts.last?.cancel()
      receipts.append(reactor.send(query))
      await gates[query].reached()
    }
    for gate in gates.reversed() { gate.open() }
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [2])
  }

  @Test func `cancelling amid values emitted at once silences the rest`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in if mutation == 1 { own.entries.first?.cancel() } },
      script: { _, _ in .of(1, 2, 3) })
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(0)
      own.append(receipt)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `a cancel right after a send is never lost`() async {
    for number in 0..<TestCounts.rounds(5_000) {
      let reactor = ScriptedReactor { _, _ in .run { _ in try await Gate().wait() } }
      let receipt = reactor.send(number)
      if number.isMultiple(of: 2) { _ = await reactor.currentState }
      receipt.cancel()
      await receipt.settled
    }
  }

  @Test func `an effect that only ever emits is notified of its cancellation`() async {
    let own = Log<ActionReceipt<ScriptedReactor>>()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in if mutation == 10 { own.entries.first?.cancel() } },
      script: { reactor, _ in
        .run { emit in
          reactor.assertIsolated()
          var number = 0
          while !Task.isCancelled {
            number += 1
            await emit(number)
          }
        }
      })
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(0)
      own.append(receipt)
      return receipt
    }
    await receipt.settled
    #expect(await reactor.currentState == Array(1...10))
  }
}

/// Emits 1, waits whatever happens, and emits 2: away from the reactor.
private func stubborn(_ gate: Gate) -> MutationStream<Int> {
  .run { emit in
    await emit(1)
    await gate.pass()
    await emit(2)
  }
}
