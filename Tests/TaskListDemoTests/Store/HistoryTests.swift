import Foundation
import Synchronization
import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct HistoryTests {
  private let tasks: TestService
  private var service: SQLiteTaskService { tasks.service }

  init() throws { tasks = try TestService() }

  @Test func `a deleted task is restored as it was, in its place`() async throws {
    let ids = try await tasks.add("A", "B", "C")
    try await tasks.perform(.edit(ids[1], [.memo("about B")]))
    try await tasks.perform(.setDone([ids[1]], true))
    let before = try await tasks.tasks()
    try await tasks.perform(.delete([ids[1]]))
    let outcome = try await service.undo()
    #expect(try await tasks.tasks() == before)
    #expect(outcome?.tasks == [before[1]])
    #expect(outcome?.summary == "undone: deleted \"B\"")
  }

  @Test func `tasks deleted from several places are restored to them`() async throws {
    let home = try await tasks.add("A", "B", "C", "D", "E", to: "Home")
    let work = try await tasks.add("X", "Y", to: "Work")
    let before = try await tasks.tasks()
    try await tasks.perform(.delete([home[4], home[0], work[0], home[2], home[3]]))
    #expect(try await tasks.titles() == ["B", "Y"])
    try await service.expectOrder()
    _ = try await service.undo()
    #expect(try await tasks.tasks() == before)
    _ = try await service.redo()
    #expect(try await tasks.titles() == ["B", "Y"])
  }

  @Test func `a task that is restored is the same task`() async throws {
    try await tasks.add("A")
    let before = try await tasks.tasks()
    #expect(try await service.undo()?.tasks == [])
    #expect(try await tasks.tasks() == [])
    #expect(try await service.redo()?.summary == "redone: added \"A\"")
    #expect(try await tasks.tasks() == before)
  }

  @Test func `a section that a step has created is removed and restored with it`() async throws {
    try await tasks.add("A", to: "Home")
    try await tasks.add("B", to: "Work")
    let before = try await service.sections()
    _ = try await service.undo()
    #expect(try await service.sections().map(\.name) == ["Home"])
    _ = try await service.redo()
    #expect(try await service.sections() == before)
  }

  @Test func `a section that has lost its last task still exists`() async throws {
    let id = try await tasks.add("A", to: "Home")[0]
    try await tasks.perform(.delete([id]))
    #expect(try await service.sections().map(\.count) == [0])
    #expect(try await service.page(TaskQuery(), from: 0, limit: 9).sections == [])
    let home = TaskQuery(section: try await tasks.sectionID("Home"))
    #expect(try await service.page(home, from: 0, limit: 9).sections.map(\.name) == ["Home"])
  }

  @Test func `a new change discards the steps that were undone`() async throws {
    try await tasks.add("A", "B", "C")
    _ = try await service.undo()
    _ = try await service.undo()
    try await tasks.add("D")
    #expect(try await service.redo() == nil)
    #expect(try await tasks.titles() == ["A", "D"])
    _ = try await service.undo()
    _ = try await service.undo()
    #expect(try await tasks.titles() == [])
  }

  @Test func `a change without effect discards no step`() async throws {
    let id = try await tasks.add("A", "B")[0]
    _ = try await service.undo()
    try await tasks.perform(.setDone([id], false))
    #expect(try await service.redo() != nil)
    #expect(try await tasks.titles() == ["A", "B"])
  }

  @Test func `a refused change discards no step`() async throws {
    try await tasks.add("A", "B")
    _ = try await service.undo()
    _ = try await tasks.refusal(of: .add(TaskDraft(title: "")))
    #expect(try await service.redo() != nil)
  }

  @Test func `the last hundred steps can be undone, and no more`() async throws {
    let id = try await tasks.add("0")[0]
    for number in 1...120 { try await tasks.perform(.edit(id, [.title("\(number)")])) }
    for number in (20..<120).reversed() {
      #expect(try await service.undo()?.tasks.map(\.title) == ["\(number)"])
    }
    #expect(try await service.undo() == nil)
    #expect(try await tasks.titles() == ["20"])
    for _ in 0..<100 { _ = try await service.redo() }
    #expect(try await service.redo() == nil)
    #expect(try await tasks.titles() == ["120"])
  }

  @Test func `steps are stored across runs of the program`() async throws {
    let scratch = try ScratchDirectory()
    let first = try TestService(.file(scratch.database))
    try await first.add("A", "B")
    _ = try await first.service.undo()
    first.service.close()
    let second = try TestService(.file(scratch.database))
    #expect(try await second.service.redo()?.summary == "redone: added \"B\"")
    _ = try await second.service.undo()
    _ = try await second.service.undo()
    #expect(try await second.titles() == [])
    #expect(try await second.service.undo() == nil)
  }

  @Test func `many tasks at once are one step`() async throws {
    try await tasks.fill(250)
    #expect(try await service.undo()?.summary == "undone: added 250 tasks")
    #expect(try await service.sections() == [])
    _ = try await service.redo()
    #expect(try await service.sections().map(\.count) == [250])
    try await service.expectOrder()
  }

  @Test func `a task that is removed and restored has its old times`() async throws {
    let clock = Ticks()
    let service = try SQLiteTaskService(.inMemory, now: { clock.next() })
    let id = try await service.perform(.add(TaskDraft(title: "A"))).tasks[0].id
    let open = try #require(try await service.task(id))
    let done = try await service.perform(.setDone([id], true)).tasks
    _ = try await service.perform(.delete([id]))
    #expect(try await service.undo()?.tasks == done)
    #expect(try await service.undo()?.tasks == [open])
    #expect(try await service.redo()?.tasks == done)
    #expect(open.createdAt < done[0].completedAt ?? .distantPast)
  }

  @Test func `each step raises the revision, in either direction`() async throws {
    let draft = TaskDraft(title: "A")
    let revisions = [
      try await tasks.perform(.add(draft)).revision, try await service.undo()?.revision,
      try await service.redo()?.revision,
    ]
    #expect(revisions == [1, 2, 3])
  }
}

/// A second later each time it is asked.
private final class Ticks: Sendable {
  private let count = Atomic(0)

  func next() -> Date {
    TestService.now + Double(count.add(1, ordering: .relaxed).newValue)
  }
}
