import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

/// Several programs on one database at once.
@Suite(.bounded) struct SharedDatabaseTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `two programs that write at once lose nothing and get no error`() async throws {
    async let one = writer("one", lines: 150)
    async let two = writer("two", lines: 150)
    let (first, second) = try await (one, two)
    // Both are still there: each sees what the other has done.
    let lists = try await (answer(of: first, to: "list"), answer(of: second, to: "list"))
    #expect(lists.0 == lists.1)
    for session in [first, second] {
      session.closeInput()
      let end = await session.waitForExit()
      #expect(end.errorOutput == "")
      #expect(end.status == .exited(0))
    }
    let titles = try await program.contents().items.map(\.title)
    #expect(titles.count == 300)
    for name in ["one", "two"] {
      #expect(titles.filter { $0.hasPrefix(name) } == (1...150).map { "\(name) \($0)" })
    }
  }

  /// Adds tasks, and waits until each is acknowledged.
  private func writer(_ name: String, lines: Int) async throws -> PipedSession {
    let session = try program.start("--json")
    await session.send((1...lines).map { "add \(name) \($0)\n" }.joined())
    for _ in 1...lines {
      let line = try #require(try await session.nextLine())
      #expect(line.hasPrefix(#"{"outcome":"#))
    }
    return session
  }

  private func answer(of session: PipedSession, to line: String) async throws -> String? {
    await session.send("\(line)\n")
    return try await session.nextLine()
  }

  @Test func `moves and deletions of both keep the list in order`() async throws {
    try await program.add("a", "b", "c", "d", "e", "f", "g", "h")
    let lines = String(repeating: "move 1 6\n2\ndelete 3\nadd x\nmove 5 2\n", count: 20)
    async let one = program.talk(bytes: Array(lines.utf8))
    async let two = program.talk(bytes: Array(lines.utf8))
    for run in try await [one, two] { #expect(run.errorOutput == "") }
    #expect(try await program.contents().items.count == 8)
  }

  @Test func `a row's number is that of the current list, not of one seen before`() async throws {
    let session = try program.start()
    await session.send("add a\nadd b\nlist\n")
    #expect(try await session.nextLine() == "1. [ ] a")
    #expect(try await session.nextLine() == "2. [ ] b")
    try await program.perform("move", "@2", "@1").expect("")
    await session.send("done 1\nlist\n")
    #expect(try await session.nextLine() == "1. [x] b")
  }

  @Test func `a task added to a deleted database is not reported as added`() async throws {
    let session = try program.start("--json")
    await session.send("add a\n")
    #expect(try await session.nextLine()?.hasPrefix(#"{"outcome":"#) == true)
    try FileManager.default.removeItem(atPath: program.database)
    await session.send("add b\n")
    session.closeInput()
    let end = await session.waitForExit()
    #expect(end.errorOutput.contains("has been deleted or replaced"))
    #expect(end.status == .exited(1))
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a task added to a database without its log is not reported as added`(part: String)
    async throws
  {
    let session = try program.start("--json")
    await session.send("add a\n")
    #expect(try await session.nextLine()?.hasPrefix(#"{"outcome":"#) == true)
    try FileManager.default.removeItem(atPath: program.database + part)
    await session.send("add b\n")
    session.closeInput()
    let end = await session.waitForExit()
    #expect(end.errorOutput.contains("has been deleted or replaced"))
    #expect(end.status == .exited(1))
  }

  @Test func `two programs that create the database at once both find it`() async throws {
    for _ in 1...5 {
      let program = try TaskProgram()
      async let one = program.perform("add", "one")
      async let two = program.perform("add", "two")
      for run in try await [one, two] { run.expect("") }
      #expect(try await Set(program.contents().items.map(\.title)) == ["one", "two"])
    }
  }
}
