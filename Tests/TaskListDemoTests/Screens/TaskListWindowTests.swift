import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// What the list looks at, and that every open screen agrees.
@Suite(.bounded) struct TaskListWindowTests {
  private static let titles = ["buy milk", "x buy bread", "call bob", "x call home"]

  @Test func `a filter shows the open, the done or all`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(Self.titles), clock: simulation.clock)
      await list.send(.filter(.open)).settled
      #expect(await list.titles == ["buy milk", "call bob"])
      await list.send(.filter(.done)).settled
      #expect(await list.titles == ["buy bread", "call home"])
      await list.send(.filter(.all)).settled
      #expect(await list.titles.count == 4)
    }
  }

  @Test func `a row is one of those that are shown`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(Self.titles)
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      list.send(.filter(.done))
      await list.send(.delete(TaskSelection(rows: 1))).settled
      #expect(await shelf.titles == ["buy milk", "call bob", "call home"])
    }
  }

  @Test func `a row is of the requested list, even while that is being read`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(Self.titles, clock: simulation.clock)
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      list.send(.refresh)
      await simulation.advance(by: .seconds(1))
      list.send(.filter(.done))
      list.send(.delete(TaskSelection(rows: 1)))
      await simulation.advanceToEnd()
      #expect(await shelf.titles == ["buy milk", "call bob", "call home"])
    }
  }

  @Test func `while the user types a search, nothing is read until a pause`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(Self.titles)
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      for text in ["c", "ca", "cal"] {
        list.send(.type(search: text))
        await simulation.advance(by: .milliseconds(149))
      }
      #expect(await shelf.reads == 0)
      await simulation.advance(by: .milliseconds(1))
      #expect(await list.titles == ["call bob", "call home"])
      #expect(await shelf.reads == 1)
    }
  }

  @Test func `the newest search wins, however long the older one takes`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(Self.titles, clock: simulation.clock)
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      list.send(.type(search: "call"))
      await simulation.advance(by: .milliseconds(150 + 500))
      list.send(.type(search: "buy"))
      await simulation.advanceToEnd()
      #expect(await list.titles == ["buy milk", "buy bread"])
    }
  }

  @Test func `an entered search does not wait for a pause`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(Self.titles), clock: simulation.clock)
      list.send(.type(search: "buy"))
      await list.send(.search("call")).settled
      #expect(await list.titles == ["call bob", "call home"])
      await simulation.advanceToEnd()
      #expect(await list.titles == ["call bob", "call home"])
    }
  }

  @Test func `a section is shown alone, and takes what is added`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(["a"]), clock: simulation.clock)
      await list.send(.add(title: "report", memo: nil, section: "Work")).settled
      await list.send(.section("work")).settled
      await list.send(.add(title: "mail", memo: nil, section: nil)).settled
      #expect(await list.titles == ["report", "mail"])
      await list.send(.section(nil)).settled
      #expect(await list.titles == ["a", "report", "mail"])
    }
  }

  @Test func `an unknown section is refused, with the names of those that exist`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(["a"]), clock: simulation.clock)
      await list.send(.section("Wrok")).settled
      let failure = await list.currentState.failure
      #expect(
        failure == """
          there is no section "Wrok"; there are: "Tasks"; 'add TITLE --section NAME' makes one
          """)
    }
  }

  @Test func `a list that becomes shorter is shown at its new end`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a", "b", "c", "d", "e"])
      let list = TaskListReactor(service: shelf, rows: 2, clock: simulation.clock)
      await list.send(.show(fromRow: 5)).settled
      #expect(await list.titles == ["e"])
      await list.send(.delete(TaskSelection(rows: 3, 4, 5))).settled
      #expect(await list.titles == ["a", "b"])
    }
  }

  // MARK: Agreeing

  @Test func `a change on one screen is shown on the other`() async throws {
    try await simulate(seeds: 0..<50) { simulation in
      let shelf = ShelfService(["a", "b", "c"])
      let screens = (0..<2).map { _ in
        TaskListReactor(service: shelf, clock: simulation.clock)
      }
      for screen in screens { await screen.send(.refresh).settled }
      screens[0].send(.add(title: "d", memo: nil, section: nil))
      screens[1].send(.delete(TaskSelection(titles: "a")))
      screens[0].send(.rename(.title("b"), title: "bee"))
      screens[1].send(.setDone(TaskSelection(titles: "c"), true))
      await simulation.settle()
      for screen in screens {
        try #require(await screen.titles == ["bee", "c", "d"])
        try #require(await screen.doneRows == [2])
      }
    }
  }

  @Test func `a change of another program is shown`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      await list.send(.refresh).settled
      await shelf.addFromElsewhere("b")
      await simulation.settle()
      #expect(await list.titles == ["a", "b"])
    }
  }

  @Test func `a change of its own is not read again for its event`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      let list = TaskListReactor(service: shelf, clock: simulation.clock)
      await list.send(.refresh).settled
      await list.send(.add(title: "b", memo: nil, section: nil)).settled
      await simulation.settle()
      #expect(await shelf.reads <= 3)
      #expect(await list.titles == ["a", "b"])
    }
  }
}
