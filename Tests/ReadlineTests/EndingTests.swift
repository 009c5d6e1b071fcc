import Glibc
import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct EndingTests {
  @Test func `the terminal is restored as it was found`() async throws {
    let session = try await FixtureSession()
    #expect(!session.terminal.settings.echoes)
    #expect(try await session.quit() == .exited(0))
    #expect(session.terminal.finalSettings == session.terminal.initialSettings)
  }

  @Test func `it is restored when the program exits by itself`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("exit\r")
    #expect(try await session.terminal.waitForExit() == .exited(3))
    #expect(session.terminal.finalSettings == session.terminal.initialSettings)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `it is restored when a signal ends the program`(signal: Int32) async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    try await session.terminal.expect(lastLines: "ask> half")
    session.terminal.signal(signal)
    #expect(try await session.terminal.waitForExit() == .signalled(signal))
    #expect(session.terminal.finalSettings == session.terminal.initialSettings)
    #expect(session.terminal.screen.cursor == .init(row: 2, column: 0))
  }

  @Test func `a console closed over a half-typed line leaves an empty one`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    try await session.terminal.expect(lastLines: "ask> half")
    await session.terminal.command("c")
    try await session.terminal.expect(lastLines: "ask> half", "no more lines")
    #expect(session.terminal.settings == session.terminal.initialSettings)
  }

  @Test func `calls after the close are harmless`() async throws {
    let session = try await FixtureSession()
    for command in ["c", "p late> ", "c", "o late", "e later"] {
      await session.terminal.command(command)
    }
    try await session.terminal.expect("later")
    #expect(!session.terminal.transcript.contains("late>"))
  }

  @Test func `a console may be opened after another was closed`() async throws {
    let session = try await FixtureSession()
    try await session.enter("first")
    await session.terminal.send("again\r")
    try await session.terminal.expect(lastLines: "ask> again", "interactive", "ask> ")
    await session.terminal.send("\u{10}\u{10}")
    try await session.terminal.expect(lastLine: "ask> first", cursorAt: 10)
  }

  @Test func `input after the last line is left to the next program`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("again\rfor the next\r")
    try await session.terminal.expect("text 12: for the next")
  }

  @Test func `Ctrl-Z returns the terminal to the shell, and fg restores the line`() async throws {
    let shell = try TerminalSession("/bin/sh", arguments: ["-i"], environment: ["PS1": "shell: "])
    try await shell.expect("shell: ")
    await shell.send("\(BuiltProduct.path("ReadlineFixture"))\r")
    try await shell.expect("ask> ")
    await shell.send("half")
    try await shell.expect("ask> half")
    await shell.send("\u{1A}")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " }
    await shell.send("fg\r")
    try await shell.expect(lastLine: "ask> half", cursorAt: 9)
    await shell.send(" done\r")
    try await shell.expect("text 9: half done")
  }

  @Test func `a program that was stopped draws its line again`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    try await session.terminal.expect(lastLines: "ask> half")
    session.terminal.signal(SIGSTOP)
    session.terminal.signal(SIGCONT)
    await session.terminal.send(" done\r")
    try await session.terminal.expect("text 9: half done")
  }

  @Test func `with its output in a pipe it reads plain lines`() async throws {
    let session = try TerminalSession("ReadlineFixture", output: .pipe)
    await session.send("hello\nquit\n")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(await session.pipedOutput() == "plain\ntext 5: hello\n")
  }
}
