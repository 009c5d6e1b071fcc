import ProgramTesting

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

  /// Has rows painted and waits until they are all that the pane shows, and the cursor is back
  /// above it.
  func paint(_ rows: String...) async throws {
    await terminal.command("r \(rows.joined(separator: "|"))")
    try await terminal.expect("the pane \(rows)") {
      $0.pane == rows && $0.cursor.row < $0.rowCount - rows.count
    }
  }

  /// Has something done without a key, and waits until it is.
  func settle(_ command: String) async throws {
    await terminal.command(command)
    let name = command.prefix(1)
    await terminal.command("o done with \(name)")
    try await terminal.expect("done with \(name)")
  }

  /// Ends the program the usual way.
  func quit() async throws -> ExitStatus {
    await terminal.send("quit\r")
    return try await terminal.waitForExit()
  }
}

extension TerminalSession {
  /// Waits until the last line above the pane is this one, and the cursor in this column of it.
  func expect(prompt line: String, cursorAt column: Int, pane: [String]) async throws {
    try await expect("\"\(line)\" with the cursor at \(column) above \(pane)") {
      $0.conversation.last == line && $0.cursor.column == column && $0.pane == pane
        && $0.cursor.row < $0.rowCount - pane.count
    }
  }

  /// Waits until the last line of the screen is this one and the cursor is in this column.
  func expect(lastLine line: String, cursorAt column: Int) async throws {
    try await expect("\"\(line)\" with the cursor at \(column)") {
      $0.lines.last == line && $0.cursor.column == column
    }
  }
}
