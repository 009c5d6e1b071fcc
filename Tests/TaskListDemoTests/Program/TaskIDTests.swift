import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

/// What single commands call tasks by: what one of them shows, the next one takes.
@Suite(.bounded) struct TaskIDTests {
  private struct Answer: Decodable {
    struct Tasks: Decodable {
      struct Task: Decodable {
        var id: String
        var row: Int?
      }
      var tasks: [Task]
      var ids: [String]?
    }
    var list: Tasks?
    var outcome: Tasks?
  }

  private let program: TaskProgram

  init() async throws {
    program = try TaskProgram()
    try await program.talk("demo").expect("")
  }

  private func answer(_ command: String...) async throws -> Answer {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database, "--json"] + command,
      environment: program.environment, input: [])
    #expect(run.errorOutput == "")
    return try JSONDecoder().decode(Answer.self, from: Data(run.output.utf8))
  }

  /// The tasks that are done, as a list has them.
  private func done() async throws -> [Substring] {
    try await program.list().split(separator: "\n").filter { $0.contains("[x]") }
  }

  @Test func `a task found by a search is done by the id that is shown`() async throws {
    let found = try await program.perform("search", "report")
    found.expect("# Work\n@4 [ ] Write the report\n")
    let name = try #require(found.output.split(separator: "\n").last?.prefix { $0 != " " })
    try await program.perform("done", String(name)).expect("")
    #expect(try await done().contains("4. [x] Write the report"))
  }

  @Test(arguments: [
    ["done", "1"], ["delete", "1-3"], ["1"], ["move", "@1", "2"], ["rename", "1", "x"],
    ["memo", "1"],
    ["edit", "1"],
  ])
  func `a number alone is refused, and changes nothing`(command: [String]) async throws {
    let before = try await program.list()
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database] + command,
      environment: program.environment, input: [])
    let number = command.contains("2") ? 2 : 1
    run.expect(
      error: "'\(number)' would be a row of a list on the screen, and there is none; name the task "
        + "by its id, which 'list' shows with an @, or by how its title begins")
    #expect(try await program.list() == before)
  }

  @Test func `every command takes an id`() async throws {
    try await program.perform("move", "@7", "@1").expect("")
    try await program.perform("rename", "@7", "Chapter").expect("")
    try await program.perform("memo", "@7", "two").expect("")
    try await program.perform("open", "@2", "@6").expect("")
    try await program.perform("delete", "@1", "@3", "@4", "@5").expect("")
    try await program.perform("list").expect(
      """
      # Home
      @7 [ ] Chapter
      @2 [ ] Water the plants
      # Work
      @6 [ ] Book the train ✈️ no, 🚆

      """)
    #expect(try await program.contents().items.contains { $0.memo == "two" })
  }

  @Test func `a conversation takes an id, whatever list it shows`() async throws {
    let run = try await program.talk("search report", "done @1 @1 Write", "search", "list")
    #expect(run.output.contains("1. [x] Buy milk\n"))
    #expect(run.output.contains("4. [x] Write the report\n"))
    #expect(run.status == .exited(0))
  }

  @Test func `an id that no task has is one error`() async throws {
    for id in ["@99", "@0", "@99999999999999999999"] {
      try await program.perform("done", id).expect(
        error: "there is no task \(id); 'list' shows the ids there are")
    }
    try await program.talk("done @1 @99").expect(
      error: "there is no task @99; 'list' shows the ids there are")
  }

  @Test func `a title that resembles an id is named in quotes, or by its id`() async throws {
    try await program.talk("add @1", "done \"@1\"").expect("")
    #expect(try await done().contains("8. [x] @1"))
  }

  @Test func `JSON has the id as commands take it, and no row for the next one`() async throws {
    let found = try await answer("search", "report")
    let task = try #require(found.list?.tasks.first)
    #expect(task.id == "@4" && task.row == nil)
    #expect(try await answer("done", task.id).outcome?.ids == ["@4"])
    #expect(try await answer("delete", task.id).outcome?.ids == ["@4"])
    #expect(try await answer("undo").outcome?.ids == ["@4"])
    #expect(try await answer("add", "x").outcome?.ids == ["@8"])
  }

  @Test func `an outcome shows a user which tasks it was about`() async throws {
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database, "done", "Buy", "Call"],
      environment: program.environment)
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.lines.first == "marked 2 tasks as done (@1, @3)")
  }

  @Test func `two tasks of the same title are distinguished by their ids`() async throws {
    try await program.add("Buy milk")
    try await program.perform("done", "buy").expect(
      error: "'buy' could be 'Buy milk' (@1), 'Buy milk' (@8); type more of the title, or the id")
  }

  @Test func `the editor shows the id of its task`() async throws {
    let session = try await TaskSession("a", "b")
    await session.enter("edit 2")
    try await session.expect(
      "edit > ", pane: "Edit task · Tasks · @2", "title: b", "memo:  none", "title")
  }

  @Test func `Tab completes an id`() async throws {
    let session = try await TaskSession("Buy milk")
    await session.terminal.send("done @\t")
    try await session.terminal.expect("the id") { $0.conversation.last == "> done @1 " }
  }
}
