import ReactorMachines
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The end of a generation that is expedited while the next one begins.
@Suite(.bounded) struct ExpeditedEndTests {
  @Test func `an expedited end does not affect the hooks after a restart`() async {
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing)
    let engine = reactor.pipeline.core
    await reactor.send(1).settled
    let ended = engine.inbox.lifecycle.generation
    await reactor.restart()
    // What a second `stop()` still has to do when another thread has begun the next generation.
    engine.handle(Inbox<Int>.Closing(step: .expedited, schedules: false, generation: ended))
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 2])
  }
}
