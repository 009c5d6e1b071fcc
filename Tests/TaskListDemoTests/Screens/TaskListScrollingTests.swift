import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// Pages of a list that is longer than the window.
@Suite(.bounded) struct TaskListScrollingTests {
  @Test(arguments: [1, 2, 3, 5, 8], [1, 7, 16])
  func `turning pages shows every row, down and up`(rows: Int, count: Int) async throws {
    try await simulate { simulation in
      let shelf = ShelfService([])
      for number in 0..<count {
        let draft = TaskDraft(title: "\(number)", section: "section \(number / 3)")
        _ = try await shelf.perform(.add(draft))
      }
      let list = TaskListReactor(service: shelf, rows: rows, clock: simulation.clock)
      await list.send(.refresh).settled
      for pages in [1, -1] {
        var shown: Set<String> = []
        while true {
          let before = await list.currentState.page.offset
          shown.formUnion(await list.shown)
          await list.send(.turn(pages: pages)).settled
          if await list.currentState.page.offset == before { break }
        }
        #expect(shown.count == count)
      }
      #expect(await list.currentState.page.offset == 0)
    }
  }

  @Test func `as many pages are turned as keys were pressed`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService((1...20).map(String.init), clock: simulation.clock)
      let list = TaskListReactor(service: shelf, rows: 5, clock: simulation.clock)
      list.send(.refresh)
      await simulation.advance(by: .seconds(1))
      list.send(.turn(pages: 1))
      list.send(.turn(pages: 1))
      await simulation.advanceToEnd()
      #expect(await list.shown == ["11", "12", "13", "14", "15"])
    }
  }

  @Test func `a search that is entered meanwhile is shown`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService((1...20).map(String.init), clock: simulation.clock)
      let list = TaskListReactor(service: shelf, rows: 5, clock: simulation.clock)
      list.send(.refresh)
      await simulation.advance(by: .seconds(1))
      list.send(.turn(pages: 1))
      list.send(.search("2"))
      await simulation.advanceToEnd()
      #expect(await list.shown == ["2", "12", "20"])
    }
  }

  @Test func `a higher window shows as many rows as fit`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService((1...15).map(String.init))
      let list = TaskListReactor(service: shelf, rows: 5, clock: simulation.clock)
      await list.send(.show(fromRow: 9)).settled
      #expect(await list.shown == ["9", "10", "11", "12", "13"])
      await list.send(.resize(rows: 6)).settled
      #expect(await list.shown.first == "9")
      await list.send(.resize(rows: 10)).settled
      #expect(await list.shown == (6...15).map(String.init))
      await list.send(.resize(rows: 40)).settled
      #expect(await list.shown == (1...15).map(String.init))
      await list.send(.resize(rows: 3)).settled
      #expect(await list.shown == ["1", "2", "3"])
    }
  }

  @Test func `revealing shows the last row, unless it is visible already`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService((1...20).map(String.init))
      let list = TaskListReactor(service: shelf, rows: 5, clock: simulation.clock)
      await list.send(.refresh).settled
      await list.send(.reveal(12)).settled
      #expect(await list.shown == ["8", "9", "10", "11", "12"])
      await list.send(.reveal(9)).settled
      #expect(await list.shown == ["8", "9", "10", "11", "12"])
      await list.send(.reveal(3)).settled
      #expect(await list.shown == ["3", "4", "5", "6", "7"])
      await list.send(.reveal(99)).settled
      #expect(await list.shown == ["3", "4", "5", "6", "7"])
    }
  }
}

extension TaskListReactor {
  /// What fits in the window.
  fileprivate var shown: [String] {
    let (page, window) = (currentState.page, currentState.window)
    return page.tasks.prefix(page.shownCount(rows: window.limit, in: window.query)).map(\.title)
  }
}
