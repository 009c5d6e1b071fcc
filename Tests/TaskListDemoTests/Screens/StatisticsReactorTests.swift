import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct StatisticsReactorTests {
  @Test func `refresh counts open and done tasks`() async throws {
    try await simulate { simulation in
      let statistics = StatisticsReactor(service: ShelfService(["a", "x b", "x c"]))
      await statistics.send(.refresh).settled
      let state = await statistics.currentState
      #expect((state.openCount, state.doneCount) == (1, 2))
      #expect(!state.isLoading)
    }
  }

  @Test func `the counts are live`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a", "b"])
      let statistics = StatisticsReactor(service: shelf)
      await statistics.send(.refresh).settled
      _ = try await shelf.perform(.setDone([1], true))
      await simulation.settle()
      let state = await statistics.currentState
      #expect((state.openCount, state.doneCount) == (1, 1))
    }
  }

  @Test func `the newest counts stay, in whatever order they arrive`() async throws {
    try await simulate(seeds: 0..<50) { simulation in
      let shelf = ShelfService([], clock: simulation.clock)
      let statistics = StatisticsReactor(service: shelf)
      statistics.send(.refresh)
      for title in ["a", "b", "c"] {
        Task(executorPreference: simulation.executor) {
          _ = try await shelf.perform(.add(TaskDraft(title: title)))
        }
        statistics.send(.refresh)
      }
      await simulation.advanceToEnd()
      try #require(await statistics.currentState.openCount == 3)
    }
  }

  @Test func `a failed read is shown, and repeated the next time`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      let statistics = StatisticsReactor(service: shelf)
      await shelf.fail(with: .storage("locked; try again"))
      await statistics.send(.refresh).settled
      #expect(await statistics.currentState.failure == "locked; try again")
      await statistics.send(.refresh).settled
      #expect(await statistics.currentState.openCount == 1)
    }
  }
}
