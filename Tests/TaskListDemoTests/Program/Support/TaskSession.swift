import ReactorREPLTesting
import Testing

/// The program on a terminal, waiting for its first line.
struct TaskSession {
  let program: TaskProgram
  let terminal: TerminalSession

  init(
    _ program: TaskProgram, environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) async throws {
    self.program = program
    terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database],
      environment: program.environment.merging(environment) { _, given in given },
      columns: columns, rows: rows)
    try await terminal.expect("the list") { screen in
      screen.conversation.last == "> " && screen.pane.contains { $0.hasPrefix("Tasks") }
        && !screen.pane.contains { $0 == "…" } && screen.isDrawn
    }
  }

  /// With these tasks.
  init(_ titles: String...) async throws { try await self.init(titles) }

  init(_ titles: [String]) async throws {
    let program = try TaskProgram()
    if !titles.isEmpty {
      try await program.talk(bytes: Array(titles.map { "add \($0)\n" }.joined().utf8)).expect("")
    }
    try await self.init(program)
  }

  /// Types a line.
  func enter(_ line: String) async { await terminal.send("\(line)\r") }

  /// Waits until the line being typed is this one, and the rows of the pane that say something
  /// begin like these.
  func expect(_ line: String, pane rows: String...) async throws {
    try await terminal.expect("\"\(line)\" above \(rows)") { screen in
      screen.conversation.last == line && screen.matches(rows) && screen.isDrawn
    }
  }

  /// Ends the program the usual way.
  func quit() async throws -> ReactorREPLTesting.ExitStatus {
    await enter("quit")
    return try await terminal.waitForExit()
  }
}

extension ScreenModel {
  /// The rows of the pane that say something.
  var shown: [String] { pane.filter { !$0.isEmpty } }

  /// Whether all of the pane is drawn: until then the cursor is in it.
  var isDrawn: Bool { cursor.row < rowCount - pane.count }

  fileprivate func matches(_ rows: [String]) -> Bool {
    shown.count == rows.count && zip(shown, rows).allSatisfy { $0.hasPrefix($1) }
  }
}
