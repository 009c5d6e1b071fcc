import Reactor
import TestLimits
import TestSupport
import Testing

/// Case 45 of the peers' acceptance cases, and the race of redux-saga.
@Suite(.bounded) struct RaceTests {
  @Test func `the first side to end wins, the other is cancelled`() async throws {
    let (fast, slow) = (Gate(), Gate())
    let cancelled = Gate()
    fast.open()
    let winner = try await race {
      do { try await slow.wait() } catch {
        cancelled.open()
        throw error
      }
      return "slow"
    } or: {
      try await fast.wait()
      return "fast"
    }
    #expect(winner == "fast")
    #expect(cancelled.isOpen)
  }

  @Test func `a side that throws ends the race`() async {
    await #expect(throws: Failure(number: 1)) {
      try await race {
        try await Gate().wait()
      } or: {
        throw Failure(number: 1)
      }
    }
  }

  @Test func `cancelling the race cancels both sides`() async {
    let (first, second) = (Gate(), Gate())
    let task = Task {
      try await race {
        try await first.wait()
      } or: {
        try await second.wait()
      }
    }
    await first.reached()
    await second.reached()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `in an effect both sides may use the reactor`() async {
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        let winner = try await race {
          reactor.note("first")
          try await Gate().wait()
          return 1
        } or: {
          reactor.note("second")
          return 2
        }
        await emit(winner)
      }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == [2])
    #expect(await Set(reactor.lines) == ["first", "second"])
  }

  @Test func `a parent ends only after its children; a child's error reaches the action's report`()
    async
  {
    let (gate, log) = (Gate(), Log<String>())
    let reactor = ScriptedReactor { _, _ in
      .run { emit in
        try await withThrowingDiscardingTaskGroup { group in
          group.addTask { throw Failure(number: 1) }
          group.addTask {
            await gate.pass()
            log.append("child")
          }
        }
        await emit(1)
      }
    }
    let receipt = reactor.send(7)
    await gate.reached()
    #expect(reactor.reports.problems == [])
    gate.open()
    await receipt.settled
    #expect(log.entries == ["child"])
    #expect(reactor.reports.problems == ["effectFailed"])
    #expect(reactor.reports.entries.first?.action as? Int == 7)
    #expect(await reactor.currentState == [])
  }

  @Test func `detached children neither delay their parent nor reach its report`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .run { emit in
        Task.detached {
          await gate.pass()
          throw Failure()
        }
        await emit(1)
      }
    }
    await reactor.send(7).settled
    #expect(await reactor.currentState == [1])
    gate.open()
    #expect(reactor.reports.problems == [])
  }
}
