import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ListTests {
  private let tasks: TestService
  private var service: SQLiteTaskService { tasks.service }

  init() async throws {
    tasks = try TestService()
    for section in ["Home", "Empty", "Work", "Garden"] {
      try await tasks.fill(section == "Empty" ? 1 : 40, section: section)
    }
    let empty = TaskQuery(section: try await tasks.sectionID("Empty"))
    try await tasks.perform(.delete(try await tasks.tasks(empty).map(\.id)))
  }

  private func queries() async throws -> [TaskQuery] {
    var queries: [TaskQuery] = []
    for section in [nil, try await tasks.sectionID("Work"), try await tasks.sectionID("Empty"), 99]
    {
      for filter in TaskQuery.Filter.allCases {
        for search in ["", "task", "3", "nowhere", "\""] {
          queries.append(TaskQuery(section: section, filter: filter, search: search))
        }
      }
    }
    return queries
  }

  @Test func `every page of every list is a part of the whole`() async throws {
    for query in try await queries() {
      let whole = try await tasks.tasks(query)
      for (offset, limit) in [(0, 7), (35, 10), (39, 1), (79, 50), (119, 9), (500, 9), (0, 0)] {
        let page = try await service.page(query, from: offset, limit: limit)
        #expect(page.tasks == Array(whole.dropFirst(offset).prefix(limit)), "\(query)")
        #expect(page.total == whole.count, "\(query)")
        #expect(page.offset == offset)
      }
    }
  }

  @Test func `a row is what the page has at that place`() async throws {
    for query in try await queries() {
      let whole = try await tasks.tasks(query)
      for row in [0, 1, 41, 119] {
        #expect(
          try await service.task(at: row, in: query)
            == (whole.indices.contains(row) ? whole[row] : nil))
      }
    }
  }

  @Test func `all pages together are the whole`() async throws {
    for query in try await queries() {
      let pages = try await service.pages(of: query, size: 7, into: [TaskPage]()) { $0.append($1) }
      #expect(pages.flatMap(\.tasks) == (try await tasks.tasks(query)))
      #expect(pages.map(\.offset) == Array(stride(from: 0, to: max(1, pages[0].total), by: 7)))
      #expect(pages.allSatisfy { $0.sections == pages[0].sections })
    }
  }

  @Test func `a list shows sections with tasks, and the selected one`() async throws {
    let all = try await service.page(TaskQuery(), from: 0, limit: 0)
    #expect(all.sections.map(\.name) == ["Home", "Work", "Garden"])
    let empty = TaskQuery(section: try await tasks.sectionID("Empty"))
    let page = try await service.page(empty, from: 0, limit: 9)
    #expect(page.sections.map(\.name) == ["Home", "Empty", "Work", "Garden"])
    #expect(page.total == 0)
  }

  @Test func `a list is in the order of sections, then of positions`() async throws {
    let list = try await tasks.tasks(TaskQuery(filter: .open))
    let order = try await service.sections().map(\.id)
    let keys = try list.map { task in
      try #require(order.firstIndex(of: task.sectionID)) * 1_000 + task.position
    }
    #expect(keys == keys.sorted())
    #expect(list.allSatisfy { !$0.isDone })
  }

  @Test func `titles are found by how they begin, in the order of the list`() async throws {
    try await tasks.add("Äpfel", to: "Garden")
    try await tasks.add("äpfel schneiden", "apfel", to: "Home")
    let all = TaskQuery()
    let found = try await service.tasks(titled: "ÄPF", in: all, limit: 9)
    #expect(found.map(\.title) == ["äpfel schneiden", "Äpfel"])
    #expect(
      try await service.tasks(titled: "ÄPF", in: all, limit: 1).map(\.title) == ["äpfel schneiden"])
    #expect(try await service.tasks(titled: "pfel", in: all, limit: 9) == [])
    #expect(try await service.tasks(titled: "", in: all, limit: 200).count == 123)
    #expect(try await service.tasks(titled: "%", in: all, limit: 9) == [])
  }

  @Test func `titles are found only in the list that is searched`() async throws {
    for query in try await queries() {
      let expected = try await tasks.tasks(query).filter { $0.title.hasPrefix("Task 3") }
      #expect(try await service.tasks(titled: "task 3", in: query, limit: 999) == expected)
    }
  }

  @Test func `of very many titles, the first are the same`() async throws {
    try await tasks.fill(1_200, section: "Many")
    for filter in TaskQuery.Filter.allCases {
      let query = TaskQuery(filter: filter)
      let expected = try await tasks.tasks(query).prefix(50)
      #expect(try await service.tasks(titled: "ta", in: query, limit: 50) == Array(expected))
      let found = TaskQuery(filter: filter, search: "TA")
      #expect(try await service.page(found, from: 0, limit: 50).tasks == Array(expected))
    }
  }
}
