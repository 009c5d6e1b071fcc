import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A task that waits for an end and is cancelled leaves nothing behind.
@Suite(.bounded) struct ForgottenWaiterTests {
  @Test func `a task that is cancelled while a drain runs is no longer a waiter`() async {
    let reactor = LanedReactor { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    let waiting = (0..<10).map { _ in Task { await stopped.settled } }
    for task in waiting { task.cancel() }
    for task in waiting { await task.value }
    #expect(reactor.endWaiters.isEmpty)
    // The drain itself waits.
    #expect(reactor.idleWaiters.count <= 1)
    await reactor.finish(1)
    await stopped.settled
  }

  @Test func `a drain that is cut short leaves no waiter`() async {
    let reactor = LanedReactor(script: LanedReactor.stubborn) { _, _ in nil }
    reactor.send(1)
    await reactor.flush()
    let stopped = reactor.stop(.drain)
    await reactor.wait { !$0.idleWaiters.isEmpty }
    reactor.stop()
    #expect(await stopped.abandoned.count == 1)
    #expect(reactor.idleWaiters.isEmpty)
    await reactor.finish(1)
    await stopped.settled
  }
}

extension LanedReactor {
  fileprivate nonisolated var idleWaiters: [Latch] {
    pipeline.core.ledger.contents.withLock { $0.idleWaiters.value.latches.all }
  }

  fileprivate nonisolated var endWaiters: [Latch] {
    pipeline.core.inbox.contents.withLock { $0.endWaiters.value.whenEnded.all }
  }
}
