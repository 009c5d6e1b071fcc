import Reactor
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct EventTests {
  private let tasks: TestService
  private let events: EventStream<TaskEvent>

  init() throws {
    tasks = try TestService()
    events = tasks.service.events()
  }

  @Test func `each change is an event with what it has done, in the order of revisions`()
    async throws
  {
    let ids = try await tasks.add("A", "B")
    try await tasks.perform(.edit(ids[0], [.title("C")]))
    try await tasks.perform(.setDone(ids, true))
    try await tasks.perform(.move(ids[0], to: ids[1]))
    try await tasks.perform(.delete([ids[1]]))
    var kinds: [TaskEvent.Kind] = []
    for revision in 1...6 {
      let event = await events.next()
      #expect(event?.revision == Int64(revision))
      kinds += event.map { [$0.kind] } ?? []
    }
    guard case .created(let first) = kinds[0], case .updated(let edited) = kinds[2],
      case .updated(let done) = kinds[3]
    else {
      Issue.record("\(kinds)")
      return
    }
    #expect(first.title == "A")
    #expect(edited.map(\.title) == ["C"])
    #expect(done.map(\.isDone) == [true, true])
    #expect(kinds[4...] == [.moved(ids[0]), .deleted([ids[1]])])
  }

  @Test func `an undo is an event with what it has undone`() async throws {
    let id = try await tasks.add("A")[0]
    let task = try #require(try await tasks.service.task(id))
    _ = try await tasks.service.undo()
    _ = try await tasks.service.redo()
    try await tasks.perform(.delete([id]))
    _ = try await tasks.service.undo()
    var kinds: [TaskEvent.Kind?] = []
    for _ in 1...5 { kinds.append(await events.next()?.kind) }
    #expect(
      kinds == [.created(task), .deleted([id]), .created(task), .deleted([id]), .created(task)])
  }

  @Test func `many changes at once are one kind of event`() async throws {
    try await tasks.fill(200)
    try await tasks.perform(.setDone(try await tasks.tasks().map(\.id), true))
    try await tasks.perform(.clearDone(nil))
    for _ in 1...3 { #expect(await events.next()?.kind == .changed) }
  }

  @Test func `a refused change, or one without effect, is no event`() async throws {
    let id = try await tasks.add("A")[0]
    try await tasks.perform(.setDone([id], false))
    _ = try? await tasks.perform(.add(TaskDraft(title: "")))
    _ = try await tasks.service.redo()
    try await tasks.perform(.delete([id]))
    #expect(await events.next()?.revision == 1)
    #expect(await events.next() == TaskEvent(kind: .deleted([id]), revision: 2))
  }

  @Test func `when an event is delivered, its state can be read`() async throws {
    let service = tasks.service
    async let adding: Void = {
      for number in 0..<20 {
        _ = try await service.perform(.add(TaskDraft(title: "Task \(number)")))
      }
    }()
    for _ in 0..<20 {
      let event = await events.next()
      let page = try await service.page(TaskQuery(), from: 0, limit: 0)
      #expect(page.revision >= event?.revision ?? .max)
      #expect(page.total >= Int(event?.revision ?? .max))
    }
    try await adding
  }
}
