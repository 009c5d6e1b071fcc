import Reactor
import TestSupport
import Testing

/// Where an effect ends that was evicted from its lane.
@Suite(.timeLimit(.minutes(40))) struct LaneEndTests {
  private actor Search: Reactor {
    nonisolated let initialState = 0
    nonisolated let pipeline = Pipeline()
    nonisolated let executor = HandExecutor()
    nonisolated let gate = Gate()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func lane(for action: Int) -> Lane? { .latest("search") }

    func mutate(action: Int) -> MutationStream<Int> {
      .run { [gate] emit in
        if action < 10 { try await gate.wait() } else { await gate.pass() }
        await emit(action)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state = mutation }

    nonisolated func report(_ report: ReactorReport) {}
  }

  @Test func `one that was cancelled before it was evicted has been cancelled`() async {
    let search = Search()
    let working = Task { [executor = search.executor] in
      await executor.run { Task.isCancelled }
    }
    let first = search.send(10)
    await search.gate.reached()
    first.cancel()
    let second = search.send(11)
    await search.gate.reached(by: 2)
    search.gate.open()
    #expect(await first.outcome.text == "cancelled")
    #expect(await second.outcome.text == "finished")
    working.cancel()
    search.executor.wake()
    await working.value
  }
}
