import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct SearchTests {
  private let tasks: TestService

  init() async throws {
    tasks = try TestService()
    try await tasks.add("Buy milk", "Call Bob", "Café in Zürich", "🎉 party", "buy-back", "C++ (v2)")
    try await tasks.perform(.add(TaskDraft(title: "Shopping", memo: "milk, eggs\nand \"bread\"")))
  }

  @Test(arguments: [
    ("milk", ["Buy milk", "Shopping"]),
    ("MI", ["Buy milk", "Shopping"]),
    ("ilk", []),
    ("buy mi", ["Buy milk"]),
    ("mi buy", ["Buy milk"]),
    ("cafe", ["Café in Zürich"]),
    ("CAFÉ zur", ["Café in Zürich"]),
    ("cafe\u{301}", ["Café in Zürich"]),
    ("🎉", ["🎉 party"]),
    ("buy-b", ["buy-back"]),
    ("eggs and", ["Shopping"]),
    ("\"bread\"", ["Shopping"]),
    ("v2)", ["C++ (v2)"]),
    ("milk -", ["Buy milk", "Shopping"]),
    ("milk AND eggs", ["Shopping"]),
    ("milk OR bob", []),
    ("NEAR(milk", []),
    ("title:milk", []),
    ("milk*", ["Buy milk", "Shopping"]),
    ("milk\0", ["Buy milk", "Shopping"]),
  ])
  func `each word begins a word of the task, and no operator has a meaning`(
    search: String, expected: [String]
  ) async throws {
    #expect(try await tasks.titles(TaskQuery(search: search)) == expected)
  }

  @Test(arguments: ["", "  ", "\"", "--", "*", "()", "\0"])
  func `a text without a word is no search`(search: String) async throws {
    #expect(try await tasks.titles(TaskQuery(search: search)).count == 7)
  }

  @Test func `a renamed task is found by its new name alone`() async throws {
    let id = try await tasks.tasks()[0].id
    try await tasks.perform(.edit(id, [.title("Buy oats")]))
    #expect(try await tasks.titles(TaskQuery(search: "milk")) == ["Shopping"])
    #expect(try await tasks.titles(TaskQuery(search: "oats")) == ["Buy oats"])
    _ = try await tasks.service.undo()
    #expect(try await tasks.titles(TaskQuery(search: "oats")) == [])
  }
}
