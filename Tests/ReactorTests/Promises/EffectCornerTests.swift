import AsyncAlgorithms
import Reactor
import TestSupport
import Testing

/// What can go wrong while an effect begins or is called off: each of these was broken once.
@Suite(.timeLimit(.minutes(5))) struct EffectCornerTests {
  @Test func `a cancel right after a send is never lost (promise 10)`() async {
    for number in 0..<Hammer.times(5_000) {
      let reactor = ScriptedReactor { _, _ in .run { _ in try await Gate().wait() } }
      let receipt = reactor.send(number)
      if number.isMultiple(of: 2) { _ = await reactor.currentState }
      receipt.cancel()
      await receipt.settled
    }
  }

  @Test func `behind a mutation hook, settled means reduced (promise 8)`() async {
    let gate = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      Erased(
        mutation.map { mutation in
          if mutation == 2 { await gate.pass() }
          return mutation
        })
    } _: { _, _ in
      .of(1, 2, 3)
    }
    let receipt = reactor.send(0)
    await gate.reached()
    async let settled: Void = receipt.settled
    gate.open()
    await settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `an effect that only ever emits learns of its cancellation (promise 10)`() async {
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

  @Test func `with a mutation hook, nothing cuts into an effect's opening (promise 3)`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      .run { emit in
        reactor.assertIsolated()
        for part in 0..<3 { await emit(action * 10 + part) }
      }
    }
    let count = Hammer.times(1_000)
    for number in 0..<count { reactor.send(number) }
    await reactor.send(count).settled
    let parts = (0...count).flatMap { number in (0..<3).map { number * 10 + $0 } }
    #expect(await reactor.currentState == parts)
  }

  @Test func `an effect that only ever emits does not hold up others behind a hook (promise 4)`()
    async
  {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { reactor, action in
      guard action == 0 else { return .just(action) }
      return .run { emit in
        reactor.assertIsolated()
        while !Task.isCancelled { await emit(0) }
      }
    }
    let endless = reactor.send(0)
    await reactor.send(1).settled
    #expect(await reactor.currentState.contains(1))
    endless.cancel()
    await endless.settled
  }

  @Test func `what a child of the effect emits is in the state when it returns (promise 5)`() async
  {
    let seen = Log<[Int]>()
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        async let child: Void = emit(1)
        await child
        seen.append(reactor.currentState)
      }
    }
    await reactor.send(0).settled
    #expect(seen.entries == [[1]])
  }

  @Test func `an emitter that outlived its effect is told from a neighbour (promise 12)`() async {
    let kept = Log<MutationEmitter<Int>>()
    var reactor: ScriptedReactor? = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        kept.append(emit)
      }
    }
    await reactor?.send(0).settled
    let gone = reactor?.gone
    reactor = nil
    await gone?.pass()
    // Whoever calls it now, from wherever: nothing happens.
    for _ in 0..<100 { await Neighbour().call(kept.entries[0]) }
  }

  @Test func `an iterator that is let go unused does not start its effect`() async {
    let started = Log<Bool>()
    let ended = Gate()
    do {
      let held = Payload(ended)
      _ = MutationStream<Int>.run { emit in
        started.append(true)
        _ = held
      }.makeAsyncIterator()
    }
    await ended.pass()
    #expect(started.entries.isEmpty)
  }

  @Test func `a report costs the same after many (promise 12)`() async {
    // Each delivery once wrapped the handler anew, until the stack was full.
    let heard = Log<String>()
    ReactorReports.setHandler { report in
      if report.reactor == Reporting.self { heard.append("heard") }
    }
    defer { ReactorReports.setHandler(nil) }
    let reactor = Reporting()
    await reactor.stop().settled
    let count = Hammer.times(100_000)
    for _ in 0..<count { reactor.send(0) }
    #expect(heard.entries.count == count)
  }
}

private final class Payload: Sendable {
  private let freed: Gate
  init(_ freed: Gate) { self.freed = freed }
  deinit { freed.open() }
}

private actor Neighbour {
  func call(_ emit: MutationEmitter<Int>) async { await emit(1) }
}

private actor Reporting: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
