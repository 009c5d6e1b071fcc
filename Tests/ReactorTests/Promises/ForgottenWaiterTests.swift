import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Whoever waits for an end and goes leaves nothing behind.
@Suite(.bounded) struct ForgottenWaiterTests {
  @Test func `one who is cancelled while a drain goes on is forgotten`() async {
    let reactor = LanedReactor { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    let waiting = (0..<10).map { _ in Task { await stopped.settled } }
    for task in waiting { task.cancel() }
    for task in waiting { await task.value }
    #expect(reactor.waiters { $0.stopBook.stopWaiters.all }.isEmpty)
    await reactor.finish(1)
    await stopped.settled
  }

  @Test func `a drain that is cut short is forgotten`() async {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    await reactor.wait { $0.hasWaiters { $0.stopBook.idleWaiters.all } }
    reactor.stop()
    #expect(await stopped.abandoned.count == 1)
    #expect(reactor.waiters { $0.stopBook.idleWaiters.all }.isEmpty)
    await reactor.finish(1)
    await stopped.settled
  }
}

extension LanedReactor {
  fileprivate typealias Ledger = WorkLedger<EffectRun<PipelineCore<LanedReactor>>>

  fileprivate nonisolated func waiters(_ which: (Ledger.Contents) -> [Latch]) -> [Latch] {
    pipeline.core.ledger.contents.withLock { which($0) }
  }

  fileprivate nonisolated func hasWaiters(_ which: (Ledger.Contents) -> [Latch]) -> Bool {
    !waiters(which).isEmpty
  }
}
