import Reactor
import TestLimits
import TestSupport
import Testing

/// Waiting for an action whose work is to end with the waiting task.
@Suite(.bounded) struct SettledOrCancelledTests {
  /// Waits for something; says how that ended.
  private static func outcome(
    _ wait: @Sendable () async throws(CancellationError) -> Void
  ) async -> String {
    do { try await wait() } catch { return "cancelled" }
    return "settled"
  }

  @Test func `it returns when the work has ended`() async throws {
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await Task.yield()
        await emit(action)
      }
    }
    try await reactor.send(1).settledOrCancelled
    #expect(await reactor.currentState == [1])
    try await reactor.sendTracked(2).settledOrCancelled
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `when the waiting task is cancelled, it cancels the work, and waits for it`() async {
    let (gate, cleanup, log) = (Gate(), Gate(), Log<String>())
    let reactor = ScriptedReactor { _, _ in
      .run { emit in
        do { try await gate.wait() } catch {
          await cleanup.pass()
          log.append("cleaned up")
          throw error
        }
      }
    }
    let waiting = Task {
      log.append(
        await Self.outcome { () throws(CancellationError) in
          try await reactor.send(1).settledOrCancelled
        })
    }
    await gate.reached()
    waiting.cancel()
    await cleanup.reached()
    cleanup.open()
    await waiting.value
    #expect(log.entries == ["cleaned up", "cancelled"])
  }

  @Test func `when its waiter is cancelled, an action that waits in its lane never starts`() async {
    let reactor = LanedReactor { _, _ in .sequential("a") }
    let first = reactor.send(1)
    await reactor.flush()
    let isSent = Gate()
    let waiting = Task {
      let receipt = reactor.send(2)
      isSent.open()
      return await Self.outcome { () throws(CancellationError) in
        try await receipt.settledOrCancelled
      }
    }
    await isSent.pass()
    waiting.cancel()
    #expect(await waiting.value == "cancelled")
    reactor.gates[1].open()
    await first.settled
    #expect(reactor.started.entries == [1])
  }

  @Test func `a waiter that is already cancelled cancels the action all the same`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    let receipt = reactor.send(1)
    await gate.reached()
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Self.outcome { () throws(CancellationError) in
        try await receipt.settledOrCancelled
      }
    }
    #expect(await waiting.value == "cancelled")
    await receipt.settled
  }

  @Test func `when its waiter is cancelled, a tracked action cancels what it has caused`() async {
    let gates = [Gate(), Gate()]
    let reactor = ScriptedReactor { reactor, action in
      .run { _ in
        if action == 0 { reactor.send(1) }
        try await gates[action].wait()
      }
    }
    let waiting = Task {
      await Self.outcome { () throws(CancellationError) in
        try await reactor.sendTracked(0).settledOrCancelled
      }
    }
    for gate in gates { await gate.reached() }
    waiting.cancel()
    #expect(await waiting.value == "cancelled")
    #expect(await reactor.turn { $0.pipeline.openActions(on: $0).isEmpty })
  }

  @Test func `for a refused action, it returns at once`() async throws {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    try await reactor.send(1).settledOrCancelled
    try await reactor.sendTracked(1).settledOrCancelled
  }
}
