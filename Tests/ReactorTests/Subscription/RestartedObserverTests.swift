import Testing

@testable import Reactor

/// An observer of the newest state that has asked when the reactor is stopped and begins again.
@Suite(.timeLimit(.minutes(1))) struct RestartedObserverTests {
  @Test func `an answer that comes after a restart is not given to those from before`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    let before = reactor.pipeline.core.broadcaster
    let cursor = StateCursor<[Int]>(wantsNewestOnly: true)
    before.register(cursor)
    _ = await reactor.state.first { _ in true }
    await reactor.restart(from: [7])
    // It asked before the end; the reactor comes to its question now.
    #expect(await before.askOwner(before, cursor))
    #expect(cursor.offer == nil)
    #expect(await before.next(cursor) == [1])
    #expect(await before.next(cursor) == nil)
  }

  @Test func `who has seen the last state does not wait among those of the next run`() async {
    let reactor = ScriptedReactor()
    _ = await reactor.currentState
    let before = reactor.pipeline.core.broadcaster
    let cursor = StateCursor<[Int]>(wantsNewestOnly: true)
    before.register(cursor)
    #expect(await before.next(cursor) == [])
    await reactor.restart()
    _ = await reactor.state.first { _ in true }
    #expect(await before.askOwner(before, cursor))
    #expect(cursor.waitingIndex == nil)
    #expect(reactor.pipeline.core.broadcaster.fanOut.withLock { $0.waiting.count } == 0)
  }
}
