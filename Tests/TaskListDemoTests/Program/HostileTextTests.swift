import Foundation
import GRDB
import ReactorREPLTesting
import Testing
import TestLimits

/// Text that others wrote, and that a terminal would obey.
@Suite(.bounded) struct HostileTextTests {
  private static let hostile = "x\u{1B}[2J\u{9B}31m\u{7}\u{202E}y"
  private static let shown = #"x\u{1B}[2J\u{9B}31m\u{07}\u{202E}y"#

  private let program: TaskProgram

  init() async throws {
    program = try TaskProgram()
    try await program.talk("add a", "add b", "add c --section Work", "done 1", "rename 2 bb")
      .expect("")
    // No user can type that; another program can write it.
    let queue = try DatabaseQueue(path: program.database)
    try await queue.write { db in
      try db.execute(sql: "UPDATE tasks SET title = title || ?", arguments: [Self.hostile])
      try db.execute(sql: "UPDATE sections SET name = name || ?", arguments: [Self.hostile])
      try db.execute(sql: "UPDATE steps SET summary = summary || ?", arguments: [Self.hostile])
    }
    try queue.close()
  }

  private func isHarmless(_ text: String) -> Bool {
    // The terminal's line feeds, and the styles of ours.
    let rest = text.replacing("\r\n", with: "").replacing(/\u{1B}\[[0-9;]*m/, with: "")
    return !rest.unicodeScalars.contains {
      ["\u{1B}", "\u{9B}", "\u{7}", "\u{202E}"].contains($0)
    }
  }

  /// What one command writes, to a terminal and into pipes.
  private func expectHarmless(
    _ command: [String], options: [String] = [], location: SourceLocation = #_sourceLocation
  ) async throws {
    let arguments = ["--database", program.database] + options + command
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: arguments, environment: program.environment, input: [])
    let text = (run.output + run.errorOutput).replacing("\n", with: "")
    #expect(isHarmless(text), "\(command)", sourceLocation: location)
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: arguments, environment: program.environment)
    _ = try await terminal.waitForExit()
    #expect(isHarmless(terminal.transcript), "\(command)", sourceLocation: location)
  }

  @Test(arguments: [
    ["list"], ["stats"], ["search", "a"], ["done", "@2"], ["open", "@1"], ["undo"], ["redo"],
    ["rename", "@2", "x"], ["move", "@1", "@2"], ["delete", "@1"], ["memo", "@1", "x"],
    ["done", "b"], ["section", "nowhere"], ["section", Self.hostile], ["import", Self.hostile],
    ["export", "/\(Self.hostile)/x"], ["import", "/\(Self.hostile)"], ["done", Self.hostile],
    ["add", Self.hostile], ["help", Self.hostile], [Self.hostile], ["--\(Self.hostile)"],
    ["export", "-"],
  ])
  func `no control character reaches a terminal`(command: [String]) async throws {
    try await expectHarmless(command)
    try await expectHarmless(command, options: ["--json"])
  }

  @Test(arguments: [
    ["--database", "\(Self.hostile)/x", "list"], ["--\(Self.hostile)"],
    ["--database", "a", "--in-memory", Self.hostile], ["--in-memory=\(Self.hostile)"],
  ])
  func `no control character of the program's arguments does`(arguments: [String]) async throws {
    for arguments in [arguments, ["--json"] + arguments] {
      let terminal = try TerminalSession(
        "TaskListDemo", arguments: arguments, environment: program.environment)
      #expect(try await terminal.waitForExit() != .exited(0))
      #expect(isHarmless(terminal.transcript), "\(arguments)")
    }
  }

  @Test func `no control character does in a conversation, on any terminal`() async throws {
    let lines = [
      "list", "section nowhere", "done b", "open a", "edit 1", "show", "cancel", "undo", "redo",
      "stats", "back", "import \(Self.hostile)",
    ]
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database],
      environment: program.environment.merging(["TERM": "dumb"]) { _, given in given })
    try await terminal.expect(lastLines: "> ")
    // What is typed is shown as readline shows it.
    for line in lines.dropLast() { await terminal.send("\(line)\r") }
    await terminal.send("quit\r")
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(isHarmless(terminal.transcript))
    #expect(terminal.screen.history.contains { $0.contains(#"\u{1B}[2J"#) })
  }

  @Test func `JSON has the same text, escaped`() async throws {
    let run = try await program.perform("list", options: ["--json"])
    struct Answer: Decodable {
      struct List: Decodable {
        struct Task: Decodable { var title: String }
        var tasks: [Task]
      }
      var list: List
    }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(run.output.utf8))
    #expect(answer.list.tasks.first?.title == "a\(Self.hostile)")
    #expect(run.output.contains(#"\u202e"#))
  }
}
