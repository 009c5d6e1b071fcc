import TerminalTesting

/// The fixture on a terminal, with a state directory of its own, waiting for its first line.
struct FixtureSession {
  let terminal: TerminalSession
  let state: ScratchDirectory

  init(
    columns: Int = 80, rows: Int = 24, state: ScratchDirectory? = nil,
    environment: [String: String] = [:]
  ) async throws {
    self.state = try state ?? ScratchDirectory()
    let directory = ["XDG_STATE_HOME": self.state.path]
    terminal = try TerminalSession(
      "ReadlineFixture", arguments: ["controlled"],
      environment: directory.merging(environment) { _, given in given },
      columns: columns, rows: rows)
    try await terminal.expect(lastLines: "interactive", "ask> ")
  }

  /// Types a line and waits for the fixture to repeat it, under the next prompt.
  func enter(_ line: String) async throws {
    await terminal.send("\(line)\r")
    try await terminal.expect(lastLines: "text \(line.utf8.count): \(line)", "ask> ")
  }

  /// Ends the program the usual way.
  func quit() async throws -> ExitStatus {
    await terminal.send("quit\r")
    return try await terminal.waitForExit()
  }
}

extension TerminalSession {
  /// Waits until the last line of the screen is this one and the cursor stands in this column.
  func expect(lastLine line: String, cursorAt column: Int) async throws {
    try await expect("\"\(line)\" with the cursor at \(column)") {
      $0.lines.last == line && $0.cursor.column == column
    }
  }
}
