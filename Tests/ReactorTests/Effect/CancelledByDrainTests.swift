import Reactor
import TestLimits
import TestSupport
import Testing

/// Effects that a drain does not wait for.
@Suite(.bounded) struct CancelledByDrainTests {
  /// Waits for a gate that stays closed.
  private static func timer(_ reactor: isolated LanedReactor, _ action: Int)
    -> MutationStream<Int>
  {
    LanedReactor.gated(reactor, action).cancelledByDrain()
  }

  @Test func `a drain cancels such an effect, and waits for the other work`() async {
    let reactor = LanedReactor(script: { reactor, action in
      action == 1 ? Self.timer(reactor, 1) : LanedReactor.gated(reactor, action)
    }) { _, _ in nil }
    let (timer, other) = (reactor.send(1), reactor.send(2))
    await reactor.gates[2].reached()
    let stop = reactor.stop(.drain)
    #expect(await timer.outcome.text == "reactorEnded")
    #expect(await other.isSettled == false)
    reactor.gates[2].open()
    await stop.settled
    #expect(await other.outcome.text == "finished")
    #expect(await reactor.currentState == [2])
    #expect(await stop.abandoned.count == 0)
  }

  @Test func `an effect that uses the reactor is cancelled as well`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        reactor.preconditionIsolated()
        try await gate.wait()
        await emit(action)
      }.cancelledByDrain()
    }
    let timer = reactor.send(1)
    await gate.reached()
    await reactor.stop(.drain).settled
    #expect(await timer.outcome.text == "reactorEnded")
    #expect(reactor.reports.entries.isEmpty)
  }

  @Test func `in a merge, only the parts so marked are cancelled`() async {
    let reactor = LanedReactor(script: { reactor, _ in
      .merge(
        Self.timer(reactor, 1), LanedReactor.gated(reactor, 2), Self.timer(reactor, 3))
    }) { _, _ in nil }
    let action = reactor.send(0)
    for gate in reactor.gates[1...3] { await gate.reached() }
    let stop = reactor.stop(.drain)
    let ended = await reactor.ended.entries(upTo: 2)
    #expect(Set(ended) == [1, 3])
    #expect(await action.isSettled == false)
    reactor.gates[2].open()
    await stop.settled
    #expect(await reactor.currentState == [2])
  }

  @Test func `an effect that would begin while the reactor drains does not begin`() async {
    let reactor = LanedReactor(script: { reactor, action in
      [0, 2].contains(action)
        ? Self.timer(reactor, action) : LanedReactor.gated(reactor, action)
    }) { _, action in action == 0 ? nil : .sequential("line") }
    let receipts = [1, 2, 3].map { reactor.send($0) }
    let timer = reactor.send(0)
    for gate in reactor.gates[0...1] { await gate.reached() }
    let stop = reactor.stop(.drain)
    // Cancelled, so the drain has begun.
    #expect(await timer.outcome.text == "reactorEnded")
    for action in [1, 3] { reactor.gates[action].open() }
    await stop.settled
    #expect(Set(reactor.started.entries) == [0, 1, 2, 3])
    #expect(reactor.ended.entries == [0, 1, 3])
    #expect(await receipts[1].outcome.text == "neverBegun")
    #expect(await reactor.currentState == [1, 3])
  }

  @Test func `the mark remains after map and other operators`() async {
    let reactor = LanedReactor(script: { reactor, action in
      let timer = Self.timer(reactor, action)
      return switch action {
      case 1: timer.named("timer").map { $0 }
      case 2: timer.priority(.low).onEnd { _, _ in }
      default: timer.around { emit, body, _ in try await body(emit) }
      }
    }) { _, _ in nil }
    let receipts = [1, 2, 3].map { reactor.send($0) }
    for gate in reactor.gates[1...3] { await gate.reached() }
    await reactor.stop(.drain).settled
    for receipt in receipts { #expect(await receipt.outcome.text == "reactorEnded") }
  }

  @Test func `the mark remains when several effects are combined`() async {
    let reactor = LanedReactor(script: { reactor, action in
      switch action {
      case 1: .concat(.just(10), Self.timer(reactor, 1))
      case 2: .merge(.merge(Self.timer(reactor, 2), .just(20)), .just(21))
      case 3: .merge(Self.timer(reactor, 3), .just(30)).named("timer")
      default:
        .concat(LanedReactor.gated(reactor, 4), LanedReactor.gated(reactor, 5)).cancelledByDrain()
      }
    }) { _, _ in nil }
    let receipts = [1, 2, 3, 4].map { reactor.send($0) }
    for gate in reactor.gates[1...4] { await gate.reached() }
    await reactor.stop(.drain).settled
    for receipt in receipts { #expect(await receipt.outcome.text == "reactorEnded") }
    let state = await reactor.currentState
    #expect(state.sorted() == [10, 20, 21, 30])
  }

  @Test func `the names of effects inside are still found`() {
    let timer = MutationStream<Int>.run { _ in }.named("timer")
    #expect(MutationStream.concat(.just(1), timer.cancelledByDrain()).effectNames == ["timer"])
    #expect(MutationStream.concat(.just(1), timer).cancelledByDrain().effectNames == ["timer"])
  }

  @Test func `one marked part of a concat does not cancel the other parts`() async {
    let reactor = LanedReactor(script: { reactor, _ in
      .concat(Self.timer(reactor, 1), LanedReactor.gated(reactor, 2))
    }) { _, _ in nil }
    let action = reactor.send(0)
    await reactor.gates[1].reached()
    let stop = reactor.stop(.drain)
    for gate in reactor.gates[1...2] { gate.open() }
    await stop.settled
    #expect(await action.outcome.text == "finished")
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `a lane goes on with what waits behind a cancelled effect`() async {
    let reactor = LanedReactor(script: { reactor, action in
      action == 1 ? Self.timer(reactor, 1) : LanedReactor.gated(reactor, action)
    }) { _, _ in .sequential("line") }
    let receipts = [1, 2].map { reactor.send($0) }
    await reactor.gates[1].reached()
    let stop = reactor.stop(.drain)
    reactor.gates[2].open()
    await stop.settled
    #expect(await receipts[0].outcome.text == "reactorEnded")
    #expect(await receipts[1].outcome.text == "finished")
  }

  @Test func `an effect is cancelled by nothing else`() async {
    let reactor = LanedReactor(script: Self.timer) { _, _ in nil }
    let timer = reactor.send(1)
    await reactor.gates[1].reached()
    reactor.gates[1].open()
    #expect(await timer.outcome.text == "finished")
    #expect(await reactor.currentState == [1])
  }
}
