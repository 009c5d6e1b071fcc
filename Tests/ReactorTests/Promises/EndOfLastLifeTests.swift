import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A job of a life that has ended, which goes on in the next one.
@Suite(.bounded) struct EndOfLastLifeTests {
  @Test func `a job that has found the end of the last life does not end the next one`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    await reactor.stop().settled
    // As when a receipt of the last life is cancelled: a job is to look, and finds the end.
    let (isOurs, wasAll) = await reactor.turn { reactor in
      let core = reactor.pipeline.core
      let found = (core.inbox.requestJob(), reactor._drainAtOnce())
      _ = core.restart(from: nil, after: 0, on: reactor)
      return found
    }
    #expect(isOurs && !wasAll)
    await reactor._drain()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [1])
    await reactor.send(2).settled
    #expect(await states.next() == [1, 2])
  }
}
