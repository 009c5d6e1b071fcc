import ReactorREPLTesting
import Testing
import TestLimits

/// A list that is longer than the window.
@Suite(.bounded) struct ScrollTerminalTests {
  /// How the pane's rows begin and end, apart from the title and what is said.
  private func expect(
    _ session: TaskSession, first: String, last: String
  ) async throws {
    try await session.terminal.expect("\(first) … \(last)") { screen in
      let rows = screen.shown.filter { $0.contains("[ ]") }
        .map { $0.drop { $0 == " " } }
      return rows.first?.hasPrefix(first) == true && rows.last?.hasPrefix(last) == true
    }
  }

  private func session(_ count: Int, columns: Int = 80, rows: Int = 24) async throws -> TaskSession
  {
    let program = try TaskProgram()
    let lines = (1...count).map { "add task \($0) --section \"\($0 % 3 == 0 ? "A" : "B")\"\n" }
    try await program.talk(bytes: Array(lines.joined().utf8)).expect("")
    return try await TaskSession(program, columns: columns, rows: rows)
  }

  @Test func `a task that is added below the window is shown`() async throws {
    let session = try await TaskSession((1...30).map { "task \($0)" })
    await session.enter("add the last one")
    try await expect(session, first: "16. [ ] task 16", last: "31. [ ] the last one")
    try await session.terminal.expect("what was done") {
      $0.shown.last?.hasPrefix("added \"the last one\"") == true
    }
  }

  @Test func `a task that the editor adds below the window is shown`() async throws {
    let session = try await TaskSession((1...30).map { "task \($0)" })
    await session.enter("new the last one")
    await session.enter("save")
    try await expect(session, first: "16. [ ] task 16", last: "31. [ ] the last one")
  }

  @Test func `a task that is added inside the window scrolls nothing`() async throws {
    let session = try await TaskSession((1...5).map { "task \($0)" })
    await session.enter("add one more")
    try await expect(session, first: "1. [ ] task 1", last: "6. [ ] one more")
  }

  @Test func `PgDn and PgUp turn pages, headings or not, and stop at both ends`() async throws {
    let session = try await session(40)
    let down = "\u{1B}[6~"
    let up = "\u{1B}[5~"
    // The first section has 27 rows; each heading takes a row.
    try await expect(session, first: "1. [ ] task 1", last: "15. [ ] task 22")
    await session.terminal.send("half\(down)")
    try await expect(session, first: "16. [ ] task 23", last: "29. [ ] task 6")
    await session.terminal.send(down)
    try await expect(session, first: "27. [ ] task 40", last: "40. [ ] task 39")
    await session.terminal.send(down + up)
    try await expect(session, first: "12. [ ] task 17", last: "26. [ ] task 38")
    await session.terminal.send(up + up + up)
    try await expect(session, first: "1. [ ] task 1", last: "15. [ ] task 22")
    #expect(session.terminal.screen.conversation.last == "> half")
  }

  @Test func `a row's number is that of the page on the screen`() async throws {
    let session = try await TaskSession((1...30).map { "task \($0)" })
    await session.terminal.send("\u{1B}[6~")
    try await expect(session, first: "15. [ ] task 15", last: "30. [ ] task 30")
    await session.enter("20")
    try await session.terminal.expect("the row") { screen in
      screen.shown.contains { $0.hasPrefix("20. [x] task 20") }
    }
  }
}
