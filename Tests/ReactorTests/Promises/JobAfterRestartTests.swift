import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A job of a generation that has ended, which continues in the next one.
@Suite(.bounded) struct JobAfterRestartTests {
  @Test func `a job that ran before a restart does not end the restarted reactor`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    await reactor.stop().settled
    // As when a receipt of the last generation is cancelled: the job checks, and finds nothing.
    let isOurs = await reactor.turn { reactor in
      let core = reactor.pipeline.core
      let isOurs = core.inbox.requestJob()
      _ = ScriptedReactor._engine.drainAtOnce(reactor)
      _ = core.restart(from: nil, after: 0, on: reactor)
      return isOurs
    }
    #expect(isOurs)
    await ScriptedReactor._engine.drain(reactor)
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [1])
    await reactor.send(2).settled
    #expect(await states.next() == [1, 2])
  }

  @Test func `more actions than a job takes at a time are taken before the end`() async {
    let reactor = ScriptedReactor()
    for number in 0..<5_000 { reactor.send(number) }
    await reactor.stop().settled
    #expect(await reactor.currentState == Array(0..<5_000))
  }
}
