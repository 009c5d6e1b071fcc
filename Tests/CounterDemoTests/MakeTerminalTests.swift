import ReactorREPLTesting
import Testing
import TestLimits

/// `make counter`, as the README says it, from an interactive shell; what is built is what the
/// tests are.
@Suite(.bounded) struct MakeTerminalTests {
  private let directory: ScratchDirectory
  private let shell: TerminalSession

  init() async throws {
    directory = try ScratchDirectory()
    let products = BuiltProduct.path("CounterDemo").dropLast("/CounterDemo".count)
    shell = try TerminalSession(
      "/bin/sh", arguments: ["-i"],
      environment: [
        "PS1": "shell: ", "HOME": directory.path, "XDG_STATE_HOME": directory.path,
        "PRODUCTS": String(products),
      ])
    try await shell.expect("shell: ")
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let swift = "/\(package)/Tests/CounterDemoTests/Support/built-already"
    await shell.send("make -s -C '/\(package)' counter SWIFT='\(swift)'\r")
    try await shell.expect("the program's prompt") { $0.lines.last == "value: 0 > " }
  }

  @Test func `Ctrl-Z returns the terminal to the shell, fg resumes the line, each time`()
    async throws
  {
    await shell.send("half")
    try await shell.expect("the line") { $0.lines.last == "value: 0 > half" }
    for _ in 1...3 {
      await shell.send("\u{1A}")
      try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " }
      await shell.send("fg\r")
      try await shell.expect("the line") { $0.lines.last == "value: 0 > half" }
    }
    await shell.send("\u{15}quit\r")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " }
    await shell.send("echo \"status $?\"\r")
    try await shell.expect("all that there is to say") {
      $0.lines.suffix(2) == ["status 0", "shell: "] && !$0.history.contains { $0.contains("Error") }
    }
  }

  @Test func `Ctrl-C drops the line, and nothing else`() async throws {
    await shell.send("half")
    try await shell.expect("the line") { $0.lines.last == "value: 0 > half" }
    await shell.send("\u{3}")
    try await shell.expect("the next line") {
      $0.lines.suffix(2) == ["value: 0 > half^C", "value: 0 > "]
    }
    await shell.send("quit\r")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " }
    await shell.send("echo \"status $?\"\r")
    try await shell.expect(lastLines: "status 0", "shell: ")
  }

  @Test func `bg leaves it stopped, and the terminal with the shell`() async throws {
    await shell.send("\u{1A}")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " }
    await shell.send("bg\r")
    try await shell.expect("the shell's prompt") { screen in
      screen.lines.contains { $0.hasPrefix("[1] make") } && screen.lines.last == "shell: "
    }
    await shell.send("echo still here\r")
    try await shell.expect("the shell") { $0.lines.contains("still here") }
    await shell.send("fg\r")
    try await shell.expect("the program") { $0.lines.last == "value: 0 > " }
  }
}
