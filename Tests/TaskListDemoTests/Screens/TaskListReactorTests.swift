import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// The list, alone, over a shelf of tasks.
@Suite(.bounded) struct TaskListReactorTests {
  /// A list over a shelf, refreshed.
  private func list(
    _ titles: [String] = ["a", "b", "c"], rows: Int = 20,
    _ body: @escaping @Sendable (TaskListReactor, ShelfService, Simulation) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      let shelf = ShelfService(titles)
      let list = TaskListReactor(service: shelf, rows: rows, clock: simulation.clock)
      await list.send(.refresh).settled
      try await body(list, shelf, simulation)
    }
  }

  // MARK: What ReactorKit's to-do list tests

  @Test func `refresh reads the tasks`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(["a", "b", "c"]), clock: simulation.clock)
      #expect(await list.titles == [])
      await list.send(.refresh).settled
      #expect(await list.titles == ["a", "b", "c"])
    }
  }

  @Test func `editing is switched on and off`() async throws {
    try await simulate { simulation in
      let list = TaskListReactor(service: ShelfService(), clock: simulation.clock)
      let test = await ReactorTest(list, in: simulation)
      await test.send(.toggleEditing) { $0.isEditing = true }
      await test.send(.toggleEditing) { $0.isEditing = false }
      await test.finish()
    }
  }

  @Test func `a tap on a row marks it as done, and another one as open`() async throws {
    try await list { list, _, _ in
      for (row, done) in [(1, [1]), (1, []), (3, [3])] {
        let subject = try await list.ask { .tap(row: row, $0) }
        #expect(subject == nil)
        #expect(await list.doneRows == done)
      }
    }
  }

  @Test func `delete removes a task`() async throws {
    try await list { list, shelf, _ in
      await list.send(.delete(TaskSelection(rows: 2))).settled
      #expect(await list.titles == ["a", "c"])
      #expect(await shelf.titles == ["a", "c"])
    }
  }

  // MARK: What it does not

  @Test func `a new task is at the end, in the list as on the shelf`() async throws {
    try await list { list, shelf, _ in
      await list.send(.add(title: "d", memo: "m", section: nil)).settled
      #expect(await list.titles == ["a", "b", "c", "d"])
      #expect(await shelf.titles == ["a", "b", "c", "d"])
    }
  }

  @Test func `move puts a task in the place of another`() async throws {
    try await list { list, shelf, _ in
      await list.send(.move(.row(1), to: .row(3))).settled
      #expect(await list.titles == ["b", "c", "a"])
      #expect(await shelf.titles == ["b", "c", "a"])
    }
  }

  @Test func `rename does not change the memo`() async throws {
    try await list { list, shelf, _ in
      await list.send(.memo(.row(1), text: "two litres")).settled
      await list.send(.rename(.row(1), title: "milk")).settled
      #expect(await list.titles == ["milk", "b", "c"])
      #expect(await shelf.memos == ["two litres", nil, nil])
    }
  }

  @Test(arguments: [0, 4, Int.max - 1])
  func `a row that does not exist is refused, and nothing changes`(row: Int) async throws {
    try await list { list, shelf, _ in
      await list.send(.delete(TaskSelection(rows: row))).settled
      #expect(await shelf.titles == ["a", "b", "c"])
      let failure = await list.currentState.failure
      #expect(failure == "there is no row \(row); the list has rows 1 to 3")
    }
  }

  @Test func `of several rows of which one does not exist, none is changed`() async throws {
    try await list { list, shelf, _ in
      await list.send(.delete(TaskSelection(rows: 1, 9))).settled
      #expect(await shelf.titles == ["a", "b", "c"])
    }
  }

  @Test func `a row beyond the window is found`() async throws {
    try await list(["a", "b", "c"], rows: 1) { list, shelf, _ in
      await list.send(.delete(TaskSelection(rows: 3))).settled
      #expect(await shelf.titles == ["a", "b"])
    }
  }

  @Test func `the beginning of a title names a task, if no other begins so`() async throws {
    try await list(["buy milk", "buy bread", "call"]) { list, shelf, _ in
      await list.send(.delete(TaskSelection(titles: "Ca"))).settled
      #expect(await shelf.titles == ["buy milk", "buy bread"])
      await list.send(.delete(TaskSelection(titles: "buy"))).settled
      #expect(await shelf.titles == ["buy milk", "buy bread"])
      #expect(await list.currentState.failure?.contains("buy milk") == true)
    }
  }

  @Test func `a failed change leaves the screen as the shelf is`() async throws {
    try await list { list, shelf, _ in
      await shelf.fail(with: .storage("the disk is full; make room"))
      await list.send(.add(title: "d", memo: nil, section: nil)).settled
      #expect(await list.titles == ["a", "b", "c"])
      #expect(await list.currentState.failure == "the disk is full; make room")
      #expect(await !list.currentState.isLoading)
      await list.send(.add(title: "d", memo: nil, section: nil)).settled
      #expect(await list.titles == ["a", "b", "c", "d"])
    }
  }

  @Test func `undo and redo go back and forth, and report where they end`() async throws {
    try await list(["a"]) { list, _, _ in
      await list.send(.add(title: "b", memo: nil, section: nil)).settled
      await list.send(.undo).settled
      #expect(await list.titles == ["a"])
      await list.send(.redo).settled
      #expect(await list.titles == ["a", "b"])
      await list.send(.redo).settled
      #expect(await list.currentState.failure?.hasPrefix("there is nothing to redo") == true)
    }
  }

  @Test func `changes are made one after the other, in the order of the requests`() async throws {
    try await list([]) { list, shelf, _ in
      for title in ["a", "b", "c", "d"] {
        list.send(.add(title: title, memo: nil, section: nil))
      }
      await list.send(.delete(TaskSelection(rows: 1))).settled
      #expect(await shelf.titles == ["b", "c", "d"])
    }
  }

  // MARK: Where to go

  @Test func `in editing mode a tap opens the editor`() async throws {
    try await list { list, shelf, _ in
      await list.send(.toggleEditing).settled
      guard case .task(let task, "Tasks") = try await list.ask({ .tap(row: 2, $0) }) else {
        Issue.record("no editor")
        return
      }
      #expect(task.title == "b")
      #expect(await shelf.titles == ["a", "b", "c"])
    }
  }

  @Test func `a new task opens the editor, with its title if it has one`() async throws {
    try await list { list, _, _ in
      let blank = try await list.ask { .new(title: nil, $0) }
      #expect(blank == .new(title: "", section: "Tasks"))
      let named = try await list.ask { .new(title: "d", $0) }
      #expect(named == .new(title: "d", section: "Tasks"))
    }
  }

  @Test func `an ask for the editor of a task that does not exist is refused`() async throws {
    try await list { list, _, _ in
      await #expect(throws: TaskError.noRow(9, of: 3)) {
        _ = try await list.ask { .edit(.row(9), $0) }
      }
      #expect(await list.currentState.failure == nil)
    }
  }
}

extension TaskListReactor {
  /// What the screen shows.
  var titles: [String] { currentState.page.tasks.map(\.title) }

  var doneRows: [Int] {
    currentState.page.tasks.enumerated().filter(\.element.isDone).map { $0.offset + 1 }
  }
}
