import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// In which row of a list a task is.
@Suite(.bounded) struct PlaceInListTests {
  @Test(arguments: TaskQuery.Filter.allCases, ["", "task", "7"])
  func `it is the row in which the list has it`(filter: TaskQuery.Filter, search: String)
    async throws
  {
    let tasks = try TestService()
    try await tasks.fill(30, section: "A")
    try await tasks.fill(30, section: "B")
    let last = try await tasks.sectionID("B")
    let all = try await tasks.tasks()
    try await tasks.perform(.move(all[50].id, to: all[3].id))
    for section in [nil, last] {
      let query = TaskQuery(section: section, filter: filter, search: search)
      let list = try await tasks.tasks(query).map(\.id)
      for task in all {
        let row = try await tasks.service.row(of: task.id, in: query)
        #expect(row == list.firstIndex(of: task.id))
      }
    }
    #expect(try await tasks.service.row(of: 999, in: TaskQuery()) == nil)
  }
}
