import Reactor
import TestLimits
import TestSupport
import Testing

/// An action that is useless once the reactor ends is neither refused nor reported.
@Suite(.bounded) struct SendUnlessStoppedTests {
  @Test func `while the reactor runs, the action is sent`() async {
    let reactor = ScriptedReactor()
    await reactor.sendUnlessStopped(1)?.settled
    #expect(await reactor.currentState == [1])
  }

  @Test(arguments: [StopMode.cancel, .drain])
  func `once the reactor has been stopped, nothing is sent or reported`(mode: StopMode) async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
    reactor.send(1)
    let stop = reactor.stop(mode)
    #expect(reactor.sendUnlessStopped(2) == nil)
    gate.open()
    await stop.settled
    #expect(reactor.sendUnlessStopped(3) == nil)
    #expect(reactor.reports.problems == [])
  }

  @Test func `after a restart, the action is sent again`() async {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    await reactor.restart()
    await reactor.sendUnlessStopped(1)?.settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `an effect that was cancelled resets what it has set`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await emit(1)
        try await Gate().wait()
      }
      .onEnd { outcome, _ in if outcome != .finished { reactor.sendUnlessStopped(2) } }
    }
    let receipt = reactor.send(1)
    #expect(await reactor.state.first { $0 == [1] } != nil)
    receipt.cancel()
    #expect(await reactor.state.first { $0 == [1, 2] } != nil)
  }

  @Test func `an effect that the reactor's end cancels reports nothing`() async {
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        await emit(1)
        try await Gate().wait()
      }
      .onEnd { outcome, _ in if outcome != .finished { reactor.sendUnlessStopped(2) } }
    }
    reactor.send(1)
    #expect(await reactor.state.first { $0 == [1] } != nil)
    await reactor.stop().settled
    #expect(reactor.reports.problems == [])
  }
}
