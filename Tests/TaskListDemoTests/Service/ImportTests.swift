import Foundation
import Reactor
import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ImportTests {
  private let scratch: ScratchDirectory
  private let tasks: TestService

  init() throws {
    scratch = try ScratchDirectory()
    tasks = try TestService()
  }

  private func importing(_ text: String) async throws -> TaskOutcome {
    try scratch.write(text, to: "import.json")
    return try await tasks.service.importFile("\(scratch.path)/import.json")
  }

  private func file(_ tasks: String) -> String {
    """
    {"version": 1, "sections": [
      {"name": "Work", "tasks": []}, {"name": "Home", "tasks": [{"title": "Good"}, \(tasks)]}]}
    """
  }

  @Test func `a file with everything in it is added as one step`() async throws {
    let outcome = try await importing(
      file(
        """
        {"title": " Milk ", "memo": "two\\nbottles", "done": true,
         "created": "2026-01-31T09:30:00.125Z", "completed": "2026-01-31T19:05:00+02:00"},
        {"title": "Bread", "memo": null, "created": "2026-01-31T09:30:00Z"},
        {"title": "Eggs", "done": true}
        """))
    #expect(outcome.summary == "added 4 tasks")
    let all = try await tasks.tasks()
    #expect(all.map(\.title) == ["Good", "Milk", "Bread", "Eggs"])
    #expect(all.map(\.memo) == [nil, "two\nbottles", nil, nil])
    let now = TestService.now
    let start = try #require(TaskFile.date(of: "2026-01-31T09:30:00Z"))
    #expect(all.map(\.createdAt) == [now, start.addingTimeInterval(0.125), start, now])
    let end = try #require(TaskFile.date(of: "2026-01-31T17:05:00Z"))
    #expect(all.map(\.completedAt) == [nil, end, nil, now])
    _ = try await tasks.service.undo()
    #expect(try await tasks.service.sections() == [])
  }

  @Test(arguments: [
    ("{\"title\": \" \"}", "the title is blank; give it some text"),
    ("{\"title\": \"a\\nb\"}", "the title has a line break in it; leave that out"),
    ("{\"title\": 5}", "\"title\" is not text; write it as 'export' does"),
    ("{\"title\": null}", "\"title\" is null; give it a value"),
    ("{}", "\"title\" is missing; add it"),
    (
      "{\"title\": \"A\", \"done\": \"no\"}",
      "\"done\" is not true or false; write it as 'export' does"
    ),
    ("{\"title\": \"A\", \"memo\": [1]}", "\"memo\" is not text; write it as 'export' does"),
    (
      "{\"title\": \"A\", \"memo\": \"\\u0007\"}",
      "the memo has the control character \\u{07} in it; leave that out"
    ),
    (
      "{\"title\": \"A\", \"created\": \"yesterday\"}",
      "\"created\" is no time; write it like 2026-01-31T09:30:00Z"
    ),
    ("{\"title\": \"A\", \"created\": 7}", "\"created\" is not text; write it as 'export' does"),
    (
      "{\"title\": \"A\", \"done\": false, \"completed\": \"2026-01-31T09:30:00Z\"}",
      "it is not \"done\", yet has \"completed\"; leave one of them out"
    ),
    (
      "{\"title\": \"A\", \"dne\": true}",
      "\"dne\" means nothing here; there can be \"title\", \"memo\", \"done\", \"created\", "
        + "\"completed\""
    ),
    ("5", "it is not an object; write it as 'export' does"),
  ])
  func `a task with an error is named, and nothing is added`(
    task: String, mistake: String
  ) async throws {
    let error = await #expect(throws: TaskError.self) { try await importing(file(task)) }
    #expect(error?.description == "import.json: task 2 in section \"Home\": \(mistake)")
    #expect(error?.kind == .refused)
    #expect(try await tasks.service.sections() == [])
    #expect(try await tasks.service.undo() == nil)
  }

  @Test(arguments: [
    "2026-02-30T09:30:00Z", "2026-02-29T09:30:00Z", "2100-02-29T09:30:00Z", "2026-13-01T09:30:00Z",
    "2026-00-10T09:30:00Z", "2026-04-31T09:30:00Z", "2026-01-00T09:30:00Z", "2026-01-31T24:00:00Z",
    "2026-01-31T25:61:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:30:60Z", "2026-1-1T1:1:1Z",
    "2026-01-31T09:30:00+24:00", "2026-01-31T09:30:00+02:60", "2026-01-31T09:30:00Zfoo",
    "2026-01-31T09:30:00Z 2027", "2026-01-31T09:30:00.5Zx", "2026-01-31T09:30:00+02:00:30",
  ])
  func `a time that does not exist is refused`(time: String) {
    #expect(TaskFile.date(of: time) == nil)
  }

  @Test(arguments: [
    ("2024-02-29T23:59:59.999Z", 1_709_251_199_999), ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("2026-01-31T19:05:00+02:00", 1_769_879_100_000), ("1969-12-31T23:59:59.999Z", -1),
  ])
  func `any other time is read as it is`(time: String, milliseconds: Int64) {
    #expect(TaskFile.date(of: time)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("", "import.json: this is not JSON (Unexpected end of file"),
    ("[]", "import.json: the whole is not an object; write it as 'export' does"),
    ("{\"version\": 1", "import.json: this is not JSON"),
    ("{\"sections\": []}", "import.json: \"version\" is missing; add it"),
    (
      "{\"version\": \"1\"}",
      "import.json: \"version\" is not a whole number; write it as 'export' does"
    ),
    (
      "{\"version\": 2, \"lists\": 5}",
      "import.json has the version 2 of the format; this program reads 1"
    ),
    ("{\"version\": 1}", "import.json: \"sections\" is missing; add it"),
    (
      "{\"version\": 1, \"sections\": {}}",
      "import.json: \"sections\" is not a list; write it as 'export' does"
    ),
    (
      "{\"version\": 1, \"sections\": [], \"x\": 1}",
      "import.json: \"x\" means nothing here; there can be \"version\", \"sections\""
    ),
    (
      "{\"version\": 1, \"sections\": [{\"tasks\": []}]}",
      "import.json: section 1: \"name\" is missing; add it"
    ),
    (
      "{\"version\": 1, \"sections\": [{\"name\": \"\", \"tasks\": []}]}",
      "import.json: section 1: the name of the section is blank; give it some text"
    ),
    (
      "{\"version\": 1, \"sections\": [{\"name\": \"A\", \"tasks\": 1}]}",
      "import.json: section \"A\": \"tasks\" is not a list; write it as 'export' does"
    ),
  ])
  func `a file with an error is refused in one line`(text: String, mistake: String) async throws {
    let error = await #expect(throws: TaskError.self) { try await importing(text) }
    #expect(error?.description.hasPrefix(mistake) == true, "\(error.debugDescription)")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func `text that is not UTF-8 is refused`() async throws {
    let path = "\(scratch.path)/latin.json"
    try Data([0x7B, 0x22, 0xE9, 0x22]).write(to: URL(filePath: path))
    let error = await #expect(throws: TaskError.self) {
      try await tasks.service.importFile(path)
    }
    #expect(error?.description == "latin.json is not UTF-8 text; save it as such")
  }

  @Test func `a file that does not exist, or a directory, is refused`() async throws {
    let missing = await #expect(throws: TaskError.self) {
      try await tasks.service.importFile("\(scratch.path)/none.json")
    }
    #expect(
      missing?.description.hasPrefix("there is no file \"\(scratch.path)/none.json\"") == true)
    let directory = await #expect(throws: TaskError.self) {
      try await tasks.service.importFile(scratch.path)
    }
    #expect(directory?.description.hasPrefix("\"\(scratch.path)\" is a directory") == true)
  }

  @Test func `progress is reported from nothing to all`() async throws {
    let (steps, told) = AsyncStream.makeStream(of: TaskProgress.self)
    let drafts = (0..<2_500).map { TaskDraft(title: "Task \($0)") }
    _ = try await tasks.service.perform(.addAll(drafts)) { told.yield($0) }
    told.finish()
    var done: [Int] = []
    for await step in steps {
      #expect(step.total == 2_500)
      done.append(step.done)
    }
    #expect(done == [0, 1_000, 2_000, 2_500])
  }

  @Test func `an import that is cancelled before its end adds nothing`() async throws {
    let begun = ThreadGate()
    let service = tasks.service
    let events = service.events()
    let importing = Task {
      await #expect(throws: TaskError.cancelled) {
        try await service.perform(.addAll((0..<3_000).map { TaskDraft(title: "Task \($0)") })) {
          if $0.done == 1_000 { begun.pause() }
        }
      }
    }
    await begun.isPaused()
    importing.cancel()
    begun.resume()
    _ = await importing.value
    #expect(try await service.sections() == [])
    let id = try await tasks.add("Milk")[0]
    #expect(await events.next()?.revision == 1)
    try await tasks.perform(.delete([id]))
    try await service.expectOrder()
  }
}
