import GRDB
import Reactor
import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// A database that must not get any larger is what a full disk is to SQLite.
@Suite(.bounded) struct FullDiskTests {
  private let scratch: ScratchDirectory
  private let tasks: TestService

  init() async throws {
    scratch = try ScratchDirectory()
    tasks = try TestService(.file(scratch.database))
    try await tasks.fill(50)
  }

  private func limitPages(_ limit: String) async throws {
    try await tasks.service.database.work { store in
      let pages = try store.number("PRAGMA page_count")
      try store.db.execute(sql: "PRAGMA max_page_count = \(limit == "now" ? "\(pages)" : limit)")
    }
  }

  @Test func `a change on a full disk is not made, and the next one is`() async throws {
    let before = try await tasks.service.list()
    try await limitPages("now")
    let drafts = (0..<500).map { TaskDraft(title: "More \($0)", section: "New") }
    let error = await #expect(throws: TaskError.self) { try await tasks.perform(.addAll(drafts)) }
    #expect(error?.kind == .storage)
    #expect(error?.description.hasPrefix("the disk is full, nothing was changed in") == true)
    #expect(try await tasks.service.list() == before)
    try await tasks.service.expectOrder()

    try await limitPages("1000000")
    #expect(try await tasks.perform(.addAll(drafts)).summary == "added 500 tasks")
    try await tasks.service.expectOrder()
  }

  @Test func `a change that was not made is no event`() async throws {
    let events = tasks.service.events()
    try await limitPages("now")
    let drafts = (0..<500).map { TaskDraft(title: "More \($0)") }
    _ = try? await tasks.perform(.addAll(drafts))
    let id = try await tasks.tasks()[0].id
    try await limitPages("1000000")
    try await tasks.perform(.delete([id]))
    #expect(await events.next() == TaskEvent(kind: .deleted([id]), revision: 2))
  }

  @Test func `an undo on a full disk is not made, and can be made later`() async throws {
    try await tasks.fill(2_000)
    let all = try await tasks.service.list()
    try await tasks.perform(.delete(all.ids))
    let none = try await tasks.service.list()
    try await tasks.service.database.work { store in
      // Give back what the tasks have left, so that there is no space to insert them again.
      try store.db.execute(sql: "VACUUM")
    }
    try await limitPages("now")
    let error = await #expect(throws: TaskError.self) { _ = try await tasks.service.undo() }
    #expect(error?.kind == .storage)
    #expect(try await tasks.service.list() == none)
    try await limitPages("1000000")
    #expect(try await tasks.service.undo() != nil)
    #expect(try await tasks.service.list() == all)
  }
}
