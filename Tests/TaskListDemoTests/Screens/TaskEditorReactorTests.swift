import Reactor
import ReactorTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// The editor, alone, over a shelf of tasks.
@Suite(.bounded) struct TaskEditorReactorTests {
  typealias EditorTest = ReactorTest<TaskEditorReactor>

  /// An editor of a new task.
  private func new(
    _ body: @escaping @Sendable (EditorTest, ShelfService) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      let editor = TaskEditorReactor(.new(title: "", section: "Tasks"), service: shelf)
      try await body(await ReactorTest(editor, in: simulation), shelf)
    }
  }

  /// An editor of the only task, which is called `a`.
  private func edit(
    _ body: @escaping @Sendable (EditorTest, ShelfService) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      let task = try #require(try await shelf.task(1))
      let editor = TaskEditorReactor(.task(task, section: "Tasks"), service: shelf)
      try await body(await ReactorTest(editor, in: simulation), shelf)
    }
  }

  @Test func `the heading shows whether the task is new`() async throws {
    try await new { test, _ in
      #expect(test.state.heading == "New task")
      await test.finish()
    }
    try await edit { test, _ in
      #expect(test.state.heading == "Edit task")
      await test.finish()
    }
  }

  @Test func `the title follows what is typed`() async throws {
    try await new { test, _ in
      for title in ["a", "ab", ""] { await test.send(.setTitle(title)) { $0.title = title } }
      await test.finish()
    }
  }

  @Test(arguments: [("a", true), ("", false), ("  \t", false)])
  func `only a title that is not blank can be saved`(title: String, canSave: Bool) async throws {
    try await new { test, _ in
      #expect(!test.state.canSave)
      await test.send(.setTitle("x")) { $0.title = "x" }
      await test.send(.setTitle(title)) { $0.title = title }
      #expect(test.state.canSave == canSave)
      await test.finish()
    }
  }

  @Test func `an existing task can be saved from the start`() async throws {
    try await edit { test, _ in
      #expect(test.state.canSave)
      await test.send(.setTitle("")) { $0.title = "" }
      #expect(!test.state.canSave)
      await test.finish()
    }
  }

  @Test func `a change that is reverted is none`() async throws {
    try await edit { test, _ in
      #expect(!test.state.hasChanges)
      await test.send(.setTitle("b")) { $0.title = "b" }
      #expect(test.state.hasChanges)
      await test.send(.setTitle("a")) { $0.title = "a" }
      #expect(!test.state.hasChanges)
      await test.finish()
    }
  }

  // MARK: Leaving

  @Test func `without changes, cancel leaves at once`() async throws {
    try await edit { test, _ in
      await test.send(.cancel) { $0.isDismissed = true }
      await test.finish()
    }
  }

  @Test func `with changes it asks, and leave leaves`() async throws {
    try await edit { test, shelf in
      await test.send(.setTitle("b")) { $0.title = "b" }
      await test.send(.cancel) { $0.isAsking = true }
      await test.send(.leave) { $0.isDismissed = true }
      await test.finish()
      #expect(await shelf.titles == ["a"])
    }
  }

  @Test func `stay keeps the editor, with what was typed`() async throws {
    try await edit { test, _ in
      await test.send(.setTitle("b")) { $0.title = "b" }
      await test.send(.cancel) { $0.isAsking = true }
      await test.send(.stay) { $0.isAsking = false }
      #expect(test.state.title == "b")
      await test.finish()
    }
  }

  @Test func `an answer without a question is refused`() async throws {
    try await edit { test, _ in
      let reason = "nothing was asked; 'save' or 'cancel' leads back"
      await test.send(.leave) { $0.failure = reason }
      await test.send(.stay) { $0.failure = reason }
      #expect(!test.state.isDismissed)
      await test.finish()
    }
  }

  // MARK: Saving

  @Test func `save adds a new task, and leaves`() async throws {
    try await new { test, shelf in
      await test.send(.setTitle("b")) { $0.title = "b" }
      await test.send(.setMemo("m")) { $0.memo = "m" }
      await test.send(.save) { $0.isSaving = true }
      await test.receive { $0.dismiss("added b", revision: 1) }
      await test.finish()
      #expect(await shelf.titles == ["a", "b"])
      #expect(await shelf.memos == [nil, "m"])
    }
  }

  @Test func `save without a title is refused`() async throws {
    try await new { test, shelf in
      await test.send(.save) {
        $0.failure = "a task needs a title; 'title TEXT' gives it one"
      }
      await test.finish()
      #expect(await shelf.titles == ["a"])
    }
  }

  @Test func `save changes the title and not the memo`() async throws {
    try await simulate { simulation in
      let shelf = ShelfService(["a"])
      _ = try await shelf.perform(.edit(1, [.memo("m")]))
      let task = try #require(try await shelf.task(1))
      let editor = TaskEditorReactor(.task(task, section: "Tasks"), service: shelf)
      await editor.send(.setTitle("b")).settled
      await editor.send(.save).settled
      #expect(await shelf.titles == ["b"])
      #expect(await shelf.memos == ["m"])
    }
  }

  @Test func `a task that could not be saved can be saved again`() async throws {
    try await edit { test, shelf in
      await test.send(.setTitle("b")) { $0.title = "b" }
      await shelf.fail(with: .storage("the disk is full; make room"))
      await test.send(.save) { $0.isSaving = true }
      await test.receive(.fail("the disk is full; make room")) {
        ($0.isSaving, $0.failure) = (false, "the disk is full; make room")
      }
      await test.send(.save) { $0.isSaving = true }
      await test.receive { $0.dismiss("changed b", revision: 1) }
      await test.finish()
      #expect(await shelf.titles == ["b"])
    }
  }

  // MARK: Others

  @Test func `changes of others are shown, except in the field being edited`() async throws {
    try await edit { test, shelf in
      await test.send(.setTitle("mine")) { $0.title = "mine" }
      _ = try await shelf.perform(.edit(1, [.title("theirs"), .memo("m")]))
      let task = try #require(try await shelf.task(1))
      await test.receive(.follow(task)) { ($0.task, $0.memo) = (task, "m") }
      #expect(test.state.title == "mine")
      await test.finish()
    }
  }

  @Test func `a task that others delete can be saved as a new one`() async throws {
    try await edit { test, shelf in
      _ = try await shelf.perform(.delete([1]))
      await test.receive(.taskRemoved) {
        ($0.task, $0.isLost) = (nil, true)
        $0.failure = "this task has been deleted meanwhile; 'save' adds it anew"
      }
      #expect(test.state.hasChanges)
      await test.send(.save) { $0.isSaving = true }
      await test.receive { $0.dismiss("added a", revision: 2) }
      await test.finish()
      #expect(await shelf.titles == ["a"])
    }
  }

  @Test func `a task that was deleted when it is saved can be saved as a new one`() async throws {
    try await edit { test, shelf in
      await test.send(.setTitle("b")) { $0.title = "b" }
      await shelf.fail(with: .taskNotFound)
      await test.send(.save) { $0.isSaving = true }
      await test.receive(.taskRemoved) {
        ($0.task, $0.isLost, $0.isSaving) = (nil, true, false)
        $0.failure = "this task has been deleted meanwhile; 'save' adds it anew"
      }
      await test.send(.save) { $0.isSaving = true }
      await test.receive { $0.dismiss("added b", revision: 1) }
      await test.finish()
      #expect(await shelf.titles == ["a", "b"])
    }
  }
}

extension TaskEditorReactor.State {
  /// What becomes of it when something has been saved.
  fileprivate mutating func dismiss(_ summary: String, revision: Int64) {
    (isDismissed, isSaving) = (true, false)
    outcome = TaskOutcome(summary: summary, revision: revision, tasks: [])
  }
}
