import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ChangeTests {
  private let tasks: TestService
  private var service: SQLiteTaskService { tasks.service }

  init() throws { tasks = try TestService() }

  @Test func `a new task is at the end of its section`() async throws {
    try await tasks.add("Milk", "Bread")
    try await tasks.add("Report", to: "Work")
    try await tasks.add("Eggs")
    #expect(try await tasks.titles() == ["Milk", "Bread", "Eggs", "Report"])
    #expect(try await tasks.tasks().map(\.position) == [0, 1, 2, 0])
  }

  @Test func `a section is found in any case, and keeps its first spelling`() async throws {
    try await tasks.add("Milk", to: "Straße É")
    try await tasks.add("Bread", to: " straße e\u{301} ")
    #expect(try await service.sections().map(\.name) == ["Straße É"])
    #expect(try await service.sections().map(\.count) == [2])
  }

  @Test func `a title is trimmed`() async throws {
    try await tasks.add("  Buy milk\n")
    #expect(try await tasks.titles() == ["Buy milk"])
  }

  @Test func `editing a title does not change the memo`() async throws {
    let draft = TaskDraft(title: "Milk", memo: "two bottles\nof glass")
    let id = try #require(try await tasks.perform(.add(draft)).tasks.first?.id)
    try await tasks.perform(.edit(id, [.title("Oat milk")]))
    let task = try #require(try await service.task(id))
    #expect(task.title == "Oat milk")
    #expect(task.memo == "two bottles\nof glass")
  }

  @Test func `a blank memo is none`() async throws {
    let id = try await tasks.add("Milk")[0]
    try await tasks.perform(.edit(id, [.memo("two")]))
    let outcome = try await tasks.perform(.edit(id, [.memo(" \n ")]))
    #expect(outcome.tasks.map(\.memo) == [nil])
    #expect(outcome.summary == "removed the memo of \"Milk\"")
  }

  @Test func `a task is done at the time it is done, and open without one`() async throws {
    let id = try await tasks.add("Milk")[0]
    let done = try await tasks.perform(.setDone([id], true))
    #expect(done.tasks.map(\.completedAt) == [TestService.now])
    let open = try await tasks.perform(.setDone([id], false))
    #expect(open.tasks.map(\.completedAt) == [nil])
  }

  @Test func `a change without effect is no step`() async throws {
    let ids = try await tasks.add("Buy milk", "Bread")
    try await tasks.perform(.setDone([ids[0]], true))
    let before = try await service.page(TaskQuery(), from: 0, limit: 0).revision
    let summaries = [
      try await tasks.perform(.setDone([ids[0]], true)),
      try await tasks.perform(.setDone([ids[1]], false)),
      try await tasks.perform(.edit(ids[0], [.title(" Buy milk "), .memo(nil)])),
      try await tasks.perform(.move(ids[0], to: ids[0])),
      try await tasks.perform(.delete([])),
      try await tasks.perform(.addAll([])),
    ]
    #expect(
      summaries.map(\.summary) == [
        "\"Buy milk\" is done already", "\"Bread\" is open already",
        "\"Buy milk\" is just so already", "\"Buy milk\" is there already",
        "there is nothing to delete", "there is nothing to add",
      ])
    #expect(summaries.allSatisfy { !$0.isChange && $0.revision == before })
    #expect(try await service.undo()?.summary == "undone: marked \"Buy milk\" as done")
  }

  @Test func `of several tasks, those that are done already do not change`() async throws {
    let ids = try await tasks.add("Milk", "Bread", "Eggs")
    try await tasks.perform(.setDone([ids[1]], true))
    let outcome = try await tasks.perform(.setDone(ids, true))
    #expect(outcome.summary == "marked 2 tasks as done")
    _ = try await service.undo()
    #expect(try await tasks.tasks().map(\.isDone) == [false, true, false])
  }

  @Test func `clear done deletes in one section, or everywhere`() async throws {
    let home = try await tasks.add("Milk", "Bread", to: "Home")
    let work = try await tasks.add("Report", to: "Work")
    try await tasks.perform(.setDone([home[0], work[0]], true))
    let cleared = try await tasks.perform(.clearDone(try await tasks.sectionID("Home")))
    #expect(cleared.summary == "deleted 1 task that is done")
    #expect(try await tasks.titles() == ["Bread", "Report"])
    try await tasks.perform(.clearDone(nil))
    #expect(try await tasks.titles() == ["Bread"])
    #expect(try await tasks.perform(.clearDone(nil)).summary == "no task is done")
  }

  @Test func `a deleted task is refused, and nothing is half done`() async throws {
    let ids = try await tasks.add("Milk", "Bread")
    try await tasks.perform(.delete([ids[0]]))
    let gone = "that task is gone; look at the list again"
    #expect(try await tasks.refusal(of: .setDone([ids[1], ids[0]], true)) == gone)
    #expect(try await tasks.refusal(of: .delete([ids[1], ids[0]])) == gone)
    #expect(try await tasks.refusal(of: .move(ids[1], to: ids[0])) == gone)
    #expect(try await tasks.refusal(of: .edit(ids[0], [.title("Oats")])) == gone)
    #expect(try await tasks.tasks().map(\.isDone) == [false])
  }

  @Test func `a list is added as a whole, or not at all`() async throws {
    let drafts = [TaskDraft(title: "Milk"), TaskDraft(title: " "), TaskDraft(title: "Eggs")]
    #expect(
      try await tasks.refusal(of: .addAll(drafts)) == "the title is blank; give it some text")
    #expect(try await tasks.titles() == [])
    #expect(try await service.sections() == [])
  }

  @Test func `numbers are never used again`() async throws {
    let first = try await tasks.add("Milk")[0]
    try await tasks.perform(.delete([first]))
    let second = try await tasks.add("Bread")[0]
    _ = try await service.undo()
    let third = try await tasks.add("Eggs")[0]
    #expect(Set([first, second, third]).count == 3)
  }
}
