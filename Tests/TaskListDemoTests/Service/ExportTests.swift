import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ExportTests {
  private let scratch: ScratchDirectory
  private let tasks: TestService
  private var path: String { "\(scratch.path)/out.json" }

  init() throws {
    scratch = try ScratchDirectory()
    tasks = try TestService()
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
  }

  @Test func `the file has the documented format`() async throws {
    let ids = try await tasks.add("Milk", to: "Home") + tasks.add("A \"b\" \\ c", "D", to: "Work")
    try await tasks.perform(.edit(ids[0], [.memo("two\nbottles\tof 🥛")]))
    try await tasks.perform(.setDone([ids[1]], true))
    #expect(try await tasks.service.exportFile(path) == 3)
    let now = "2026-01-31T09:00:00.250Z"
    #expect(
      scratch.read("out.json") == """
        {"version": 1, "sections": [
          {"name": "Home", "tasks": [
            {"title": "Milk", "memo": "two\\nbottles\\tof 🥛", "done": false, "created": "\(now)"}
          ]},
          {"name": "Work", "tasks": [
            {"title": "A \\"b\\" \\\\ c", "done": true, "created": "\(now)", "completed": "\(now)"},
            {"title": "D", "done": false, "created": "\(now)"}
          ]}
        ]}

        """)
  }

  @Test func `an exported list can be imported, and is the same`() async throws {
    try await tasks.fill(1_200, section: "Home")
    try await tasks.fill(3, section: "\"Work\" \\ 仕事")
    _ = try await tasks.service.exportFile(path)
    let copy = try TestService()
    _ = try await copy.service.importFile(path)
    #expect(try await copy.tasks() == (try await tasks.tasks()))
    #expect(try await copy.service.sections() == (try await tasks.service.sections()))
  }

  @Test func `times are exact to the millisecond`() throws {
    for milliseconds in Int64(1_769_850_000_000)..<1_769_850_001_000 {
      let date = Date(milliseconds: milliseconds)
      #expect(TaskFile.date(of: TaskFile.text(of: date))?.milliseconds == milliseconds)
    }
    #expect(TaskFile.text(of: Date(milliseconds: -1)) == "1969-12-31T23:59:59.999Z")
  }

  @Test func `no tasks make a file without sections`() async throws {
    #expect(try await tasks.service.exportFile(path) == 0)
    #expect(try TaskFile(path: path) == TaskFile())
  }

  @Test func `an older file is replaced, and no other file is left`() async throws {
    try scratch.write("old", to: "out.json")
    try await tasks.add("Milk")
    _ = try await tasks.service.exportFile(path)
    #expect(try TaskFile(path: path).drafts.map(\.title) == ["Milk"])
    #expect(try files == ["out.json"])
  }

  @Test func `a link is followed, and stays one`() async throws {
    try scratch.write("old", to: "real.json")
    let link = "\(scratch.path)/link.json"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(scratch.path)/real.json")
    _ = try await tasks.service.exportFile(link)
    #expect(scratch.read("real.json")?.hasPrefix("{\"version\"") == true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("real.json"))
  }

  @Test func `an export that fails keeps the old file`() async throws {
    try scratch.write("old", to: "out.json")
    tasks.service.close()
    await #expect(throws: TaskError.self) { try await tasks.service.exportFile(path) }
    #expect(scratch.read("out.json") == "old")
    #expect(try files == ["out.json"])
  }

  @Test func `neither a directory nor a database is replaced`() async throws {
    let database = try TestService(.file(scratch.database))
    try await database.add("Milk")
    database.service.close()
    for (path, problem) in [
      (scratch.path, "is a directory; name a file"),
      (scratch.database, "is a database; name another file"),
      ("/dev/null", "is not a file; name a file"),
    ] {
      let error = await #expect(throws: TaskError.self) { try await tasks.service.exportFile(path) }
      #expect(error?.description.hasSuffix(problem) == true, "\(error.debugDescription)")
    }
    #expect(try await TestService(.file(scratch.database)).titles() == ["Milk"])
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `no file that belongs to a database is written`(suffix: String) async throws {
    let database = try TestService(.file(scratch.database))
    try await database.add("Milk")
    let path = scratch.database + suffix
    let before = FileManager.default.contents(atPath: path)
    for service in [database.service, tasks.service] {
      let error = await #expect(throws: TaskError.self) { try await service.exportFile(path) }
      #expect(error?.description == "\"\(path)\" is part of a database; name another file")
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    // Beside no database it is a name like any other.
    _ = try await tasks.service.exportFile("\(scratch.path)/other\(suffix)")
  }

  @Test func `a missing directory is reported`() async throws {
    let error = await #expect(throws: TaskError.self) {
      try await tasks.service.exportFile("\(scratch.path)/no/out.json")
    }
    #expect(error?.description.hasPrefix("cannot write in the directory") == true)
  }
}
