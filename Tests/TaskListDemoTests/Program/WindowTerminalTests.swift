import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

/// What terminals are like.
@Suite(.bounded) struct WindowTerminalTests {
  @Test func `wide and combining characters are aligned`() async throws {
    let titles = ["plain", "語語語", "e\u{301}te\u{301}", "party 🎉", "하나"]
    let program = try TaskProgram()
    try await program.talk(
      bytes: Array(titles.map { "add \($0)\n" }.joined().utf8) + Array("done 1-5\n".utf8)
    ).expect("")
    let session = try await TaskSession(program)
    let rows = session.terminal.screen.shown.dropFirst()
    #expect(rows.map { DisplayWidth.of($0) } == [80, 80, 80, 80, 80])
    for (row, title) in zip(rows, titles) { #expect(row.contains(title)) }
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `a long title is cut at the window's edge`() async throws {
    let session = try await TaskSession(String(repeating: "語", count: 200))
    let row = try #require(session.terminal.screen.shown.last)
    #expect(DisplayWidth.of(row) <= 80)
    #expect(row.hasSuffix("…"))
  }

  @Test func `a resized window has as many rows as fit`() async throws {
    let session = try await TaskSession("a", "b", "c", "d", "e", "f", "g", "h")
    await session.terminal.send("half")
    session.terminal.resize(columns: 40, rows: 10)
    try await session.expect(
      "> half", pane: "Tasks", "1. [ ] a", "2. [ ] b", "3. [ ] c", "4. [ ] d",
      "                           rows 1–4 of 8")
    session.terminal.resize(columns: 100, rows: 30)
    try await session.expect(
      "> half", pane: "Tasks", "1. [ ] a", "2. [ ] b", "3. [ ] c", "4. [ ] d", "5. [ ] e",
      "6. [ ] f", "7. [ ] g", "8. [ ] h")
    #expect(DisplayWidth.of(session.terminal.screen.shown[0]) == 100)
  }

  @Test func `list N shows the rows further down`() async throws {
    let program = try TaskProgram()
    let lines = (1...50).map { "add task \($0)\n" }.joined()
    try await program.talk(bytes: Array(lines.utf8)).expect("")
    let session = try await TaskSession(program)
    await session.enter("list 49")
    try await session.terminal.expect("the end") { screen in
      screen.shown.contains { $0.hasPrefix("50. [ ] task 50") }
    }
  }

  @Test func `a window that is too low for a pane prints the list on request`() async throws {
    let program = try TaskProgram()
    try await program.add("a")
    let terminal = try terminal(program, rows: 6)
    try await terminal.expect(lastLines: "> ")
    await terminal.send("list\r")
    try await terminal.expect(lastLines: "> list", "1. [ ] a", "> ")
  }

  @Test func `a dumb terminal gets lines, and no escape codes`() async throws {
    let program = try TaskProgram()
    try await program.add("a")
    let terminal = try terminal(program, ["TERM": "dumb"])
    try await terminal.expect(lastLines: "> ")
    await terminal.send("done 1\r")
    try await terminal.expect(lastLines: "> done 1", "marked \"a\" as done", "> ")
    await terminal.send("list\r")
    try await terminal.expect(lastLines: "> list", "1. [x] a", "> ")
    await terminal.send("stats\r")
    try await terminal.expect("1 of 1 done")
    await terminal.send("back\rquit\r")
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(!terminal.transcript.contains("\u{1B}"))
  }

  private func terminal(
    _ program: TaskProgram, _ environment: [String: String] = [:], rows: Int = 24
  ) throws -> TerminalSession {
    try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database],
      environment: program.environment.merging(environment) { _, given in given }, rows: rows)
  }

  @Test func `NO_COLOR removes the colours, and nothing else`() async throws {
    let program = try TaskProgram()
    try await program.talk("add a", "done 1").expect("")
    let colourful = try await TaskSession(program)
    #expect(colourful.terminal.transcript.contains("\u{1B}[32m"))
    let plain = try await TaskSession(program, environment: ["NO_COLOR": "1"])
    try await plain.expect("> ", pane: "Tasks", "1. [x] a")
    #expect(plain.terminal.screen.style(of: "[x]") == [])
    #expect(plain.terminal.screen.style(of: "Tasks") == [])
  }

  @Test func `Ctrl-Z returns the window to the shell, fg restores the list`() async throws {
    let program = try TaskProgram()
    try await program.add("a")
    let shell = try TerminalSession(
      "/bin/sh", arguments: ["-i"],
      environment: program.environment.merging(["PS1": "shell: "]) { _, given in given })
    try await shell.expect("shell: ")
    await shell.send("'\(BuiltProduct.path("TaskListDemo"))' --database '\(program.database)'\r")
    try await shell.expect("the list") { $0.pane.contains { $0.hasPrefix("1. [ ] a") } }
    await shell.send("half")
    try await shell.expect("the line") { $0.conversation.last == "> half" }
    await shell.send("\u{1A}")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " && $0.pane == [] }
    try await program.perform("add", "b").expect("")
    await shell.send("fg\r")
    try await shell.expect("the list as it is now") {
      $0.conversation.last == "> half" && $0.pane.contains { $0.hasPrefix("2. [ ] b") }
    }
  }
}
