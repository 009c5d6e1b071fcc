import ReactorREPLTesting

/// The fixture on a terminal, with a state directory of its own, waiting for its first line.
struct ConsoleSession {
  let terminal: TerminalSession
  private let directory: ScratchDirectory

  init(
    _ arguments: String..., columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], directory: ScratchDirectory? = nil
  ) async throws {
    self.directory = try directory ?? ScratchDirectory()
    terminal = try TerminalSession(
      "ConsoleFixture", arguments: arguments,
      environment: ["XDG_STATE_HOME": self.directory.path].merging(environment) { $1 },
      columns: columns, rows: rows)
    try await terminal.expect("the prompt") { $0.conversation.last == "0 > " }
  }

  func enter(_ line: String) async { await terminal.send("\(line)\r") }

  /// Waits until the line being typed is this one, and the rows that say something are these.
  func expect(_ line: String, rows: String...) async throws {
    try await terminal.expect("\"\(line)\" above \(rows)") { screen in
      screen.conversation.last == line && screen.pane.filter { !$0.isEmpty } == rows
    }
  }
}
