import Reactor
import ReactorREPLTesting
import TestLimits
import TestSupport
import Testing

@testable import TaskListDemo
@testable import TaskStore

/// Two services on one file are what two programs are to the database.
@Suite(.bounded) struct TwoProgramsTests {
  private let scratch: ScratchDirectory
  private let clocks = [StoppedClock(), StoppedClock()]
  private let services: [SQLiteTaskService]

  init() throws {
    let scratch = try ScratchDirectory()
    self.scratch = scratch
    services = try clocks.map { try SQLiteTaskService(.file(scratch.database), clock: $0) }
  }

  @Test func `both write at once, and nothing is lost`() async throws {
    let count = 150
    let shared = try await services[0].perform(.add(TaskDraft(title: "0"))).tasks[0]
    try await withThrowingTaskGroup { group in
      for service in services {
        group.addTask {
          for number in 0..<count {
            let added = try await service.perform(.add(TaskDraft(title: "Task \(number)")))
            _ = try await service.perform(.move(added.tasks[0].id, to: shared.id))
          }
        }
      }
      try await group.waitForAll()
    }
    for service in services {
      #expect(try await service.sections().map(\.count) == [2 * count + 1])
      try await service.expectOrder()
    }
    let page = try await services[0].page(TaskQuery(), from: 0, limit: 0)
    #expect(page.revision == Int64(4 * count + 1))
  }

  @Test func `changes that another program makes meanwhile are not undone`() async throws {
    _ = try await services[0].perform(.add(TaskDraft(title: "mine")))
    _ = try await services[1].perform(.add(TaskDraft(title: "theirs")))
    let refusal = TaskError.refused(
      "the last change is another program's: added \"theirs\"; undo it there")
    await #expect(throws: refusal) { try await services[0].undo() }
    #expect(try await services[1].undo()?.summary == "undone: added \"theirs\"")
    let redo = TaskError.refused(
      "another program has undone this: added \"theirs\"; redo it there")
    await #expect(throws: redo) { try await services[0].redo() }
    #expect(try await services[0].undo()?.summary == "undone: added \"mine\"")
    #expect(try await services[0].redo()?.summary == "redone: added \"mine\"")
  }

  @Test func `a change from before the program began is undone, whichever program made it`()
    async throws
  {
    _ = try await services[0].perform(.add(TaskDraft(title: "A")))
    _ = try await services[0].perform(.add(TaskDraft(title: "B")))
    let later = try SQLiteTaskService(.file(scratch.database))
    #expect(try await later.undo()?.summary == "undone: added \"B\"")
    #expect(try await later.undo()?.summary == "undone: added \"A\"")
    // The number of the step is used again.
    _ = try await services[0].perform(.add(TaskDraft(title: "C")))
    await #expect(throws: TaskError.self) { try await later.undo() }
    later.close()
  }

  @Test func `own changes are undone however many there were`() async throws {
    let id = try await services[0].perform(.add(TaskDraft(title: "0"))).tasks[0].id
    for _ in 0..<3 {
      for number in 1...120 {
        _ = try await services[0].perform(.edit(id, [.title("\(number)")]))
      }
      for _ in 0..<100 { #expect(try await services[0].undo() != nil) }
      for _ in 0..<100 { #expect(try await services[0].redo() != nil) }
    }
  }

  @Test func `a change of another program is detected`() async throws {
    let events = services[0].events()
    await clocks[0].waitForSleeps(1)
    _ = try await services[1].perform(.add(TaskDraft(title: "A")))
    await clocks[0].wake(0)
    #expect(await events.next() == TaskEvent(kind: .changed, revision: 1))
  }

  @Test func `a change of another program comes before the next own step`() async throws {
    let events = services[0].events()
    _ = try await services[1].perform(.add(TaskDraft(title: "A")))
    let own = try await services[0].perform(.add(TaskDraft(title: "B"))).tasks[0]
    #expect(await events.next() == TaskEvent(kind: .changed, revision: 1))
    #expect(await events.next() == TaskEvent(kind: .created(own), revision: 2))
  }

  @Test func `own steps are not taken for another program's`() async throws {
    let events = services[0].events()
    await clocks[0].waitForSleeps(1)
    let own = try await services[0].perform(.add(TaskDraft(title: "A"))).tasks[0]
    await clocks[0].wake(0)
    await clocks[0].waitForSleeps(2)
    _ = try await services[1].perform(.delete([own.id]))
    await clocks[0].wake(1)
    #expect(await events.next() == TaskEvent(kind: .created(own), revision: 1))
    #expect(await events.next() == TaskEvent(kind: .changed, revision: 2))
  }

  @Test func `without subscribers there is no polling, and each pause is 200 ms`() async throws {
    _ = try await services[0].perform(.add(TaskDraft(title: "A")))
    #expect(await clocks[0].requests == [])
    _ = services[0].events()
    _ = services[0].events()
    await clocks[0].waitForSleeps(1)
    #expect(await clocks[0].requests == [.milliseconds(200)])
  }

  @Test func `events end when the service is closed`() async throws {
    let events = services[0].events()
    _ = try await services[0].perform(.add(TaskDraft(title: "A")))
    services[0].close()
    #expect(await events.next() != nil)
    #expect(await events.next() == nil)
  }

  @Test func `a call after the end fails with the reason that it is closed`() async throws {
    services[0].close()
    let closed = TaskError.storage("the database is closed")
    await #expect(throws: closed) { try await services[0].page(TaskQuery(), from: 0, limit: 1) }
    await #expect(throws: closed) {
      try await services[0].perform(.add(TaskDraft(title: "A")))
    }
    services[0].close()
  }

  @Test func `a service that is released ends, and closes its file`() async throws {
    let scratch = try ScratchDirectory()
    let clock = StoppedClock()
    var service: SQLiteTaskService? = try SQLiteTaskService(.file(scratch.database), clock: clock)
    weak let gone = service
    let events = service?.events()
    await clock.waitForSleeps(1)
    service = nil
    #expect(gone == nil)
    #expect(await events?.next() == nil)
  }

  @Test func `one program reads while another writes for long`() async throws {
    let begun = ThreadGate()
    async let adding = services[0].perform(
      .addAll((0..<3_000).map { TaskDraft(title: "Task \($0)") })
    ) { progress in
      if progress.done == 1_000 { begun.pause() }
    }
    await begun.isPaused()
    for service in services { #expect(try await service.sections() == []) }
    begun.resume()
    _ = try await adding
    for service in services { #expect(try await service.sections().map(\.count) == [3_000]) }
  }
}
