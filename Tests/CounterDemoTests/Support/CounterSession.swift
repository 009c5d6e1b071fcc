import ReactorREPLTesting

/// The program on a terminal, with a state directory of its own, waiting for its first line.
struct CounterSession {
  let terminal: TerminalSession
  let state: ScratchDirectory

  /// How long a change takes.
  enum Delay: String {
    case none = "0"
    /// Long enough to see that something is under way; nothing waits for it but the screen.
    case some = "300"
    /// It is still under way when the test is over.
    case endless = "3600000"
  }

  init(
    _ delay: Delay = .none, _ options: String..., state: ScratchDirectory? = nil, at value: Int = 0
  ) async throws {
    self.state = try state ?? ScratchDirectory()
    terminal = try TerminalSession(
      "CounterDemo", arguments: ["--delay", delay.rawValue] + options,
      environment: ["XDG_STATE_HOME": self.state.path])
    try await terminal.expect(lastLines: "value: \(value) > ")
  }

  /// Types a line.
  func enter(_ line: String) async {
    await terminal.send("\(line)\r")
  }

  /// Ends the program the usual way.
  func quit() async throws -> ExitStatus {
    await enter("quit")
    return try await terminal.waitForExit()
  }
}
