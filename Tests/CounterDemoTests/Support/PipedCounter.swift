import ReactorREPLTesting
import Testing

/// The program run through pipes, its changes made without delay.
enum PipedCounter {
  static func run(_ input: String) async throws -> PipedRun {
    try await run(bytes: Array(input.utf8))
  }

  static func run(bytes: [UInt8], reader: PipedRun.Reader = .all) async throws -> PipedRun {
    try await PipedRun.of(
      "CounterDemo", arguments: ["--delay", "0"], environment: ["TERM": "xterm"], input: bytes,
      reader: reader)
  }

  /// The program run with a state directory, and options for it.
  static func run(
    _ input: String, _ options: String..., in state: ScratchDirectory
  ) async throws -> PipedRun {
    try await PipedRun.of(
      "CounterDemo", arguments: ["--delay", "0"] + options,
      environment: ["XDG_STATE_HOME": state.path], input: Array(input.utf8))
  }

  /// The program's answer to its arguments alone.
  static func run(arguments: [String]) async throws -> PipedRun {
    try await PipedRun.of("CounterDemo", arguments: arguments, input: [])
  }

  /// Expects one complaint about a line, and that the counter goes on as if it had not been said.
  static func expectComplaint(
    _ complaint: String, about line: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await run(bytes: Array("set 5\n".utf8) + line + Array("\nshow\n+\n".utf8))
    #expect(run.errorOutput == "error: \(complaint)\n", sourceLocation: sourceLocation)
    let after = "value: 5\nvalue: 5\nvalue: 5 (loading)\nalert: increased!\nvalue: 6\n"
    #expect(run.output == "value: 0\n\(after)", sourceLocation: sourceLocation)
    #expect(run.status == .exited(1), sourceLocation: sourceLocation)
  }
}
