import Glibc
import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct PaneLayoutTests {
  @Test func `a pane that grows scrolls the wrapped line above it as a whole`() async throws {
    let session = try await FixtureSession(columns: 20, rows: 14)
    try await session.paint("one")
    await session.terminal.send("0123456789abcdefghij0123456789\u{2}")
    for rows in [["one", "two"], ["one", "two", "three", "four"]] {
      await session.terminal.command("r \(rows.joined(separator: "|"))")
      try await session.terminal.expect("the line above \(rows)") {
        $0.conversation.suffix(2) == ["ask> 0123456789abcde", "fghij0123456789"]
          && $0.pane == rows && $0.cursor == .init(row: 13 - rows.count, column: 14)
      }
    }
    #expect(session.terminal.screen.conversation.filter { $0.hasPrefix("ask>") }.count == 1)
  }

  @Test func `a pane with fewer rows keeps its height, and is removed with none`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("one", "two", "three")
    await session.terminal.command("r only")
    try await session.terminal.expect(prompt: "ask> ", cursorAt: 5, pane: ["only", "", ""])
    await session.terminal.send("half")
    await session.terminal.command("x")
    try await session.terminal.expect(prompt: "ask> half", cursorAt: 9, pane: [])
    try await session.paint("one")
    #expect(session.terminal.screen.conversation.last == "ask> half")
  }

  @Test func `rows that do not fit are left out`() async throws {
    let session = try await FixtureSession(rows: 9)
    await session.terminal.command("r 1|2|3|4|5|6|7|8|9|10")
    try await session.terminal.expect(
      prompt: "ask> ", cursorAt: 5, pane: ["1", "2", "3", "4", "5"])
  }

  @Test func `after a resize everything is in its place`() async throws {
    let session = try await FixtureSession(columns: 40, rows: 16)
    await session.terminal.command("W")
    try await session.paint("one", "two")
    await session.terminal.send("0123456789abcdefghij")
    try await session.terminal.expect(
      prompt: "ask> 0123456789abcdefghij", cursorAt: 25, pane: ["one", "two"])
    for (columns, rows, pane) in [(30, 20, 15), (60, 20, 15), (60, 10, 6), (26, 11, 7)] {
      session.terminal.resize(columns: columns, rows: rows)
      try await session.terminal.expect("window \(columns)x\(rows), pane \(pane)")
      try await session.terminal.expect(
        prompt: "ask> 0123456789abcdefghij", cursorAt: 25, pane: ["one", "two"])
    }
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `the line wraps where the new window ends`() async throws {
    let session = try await FixtureSession(columns: 40, rows: 16)
    try await session.paint("one", "two")
    await session.terminal.command("W")
    try await session.terminal.expect("window 40x16")
    session.terminal.resize(columns: 20, rows: 16)
    try await session.terminal.expect("window 20x16")
    await session.terminal.send("0123456789abcdefghij")
    try await session.terminal.expect("a wrapped line") {
      $0.conversation.suffix(2) == ["ask> 0123456789abcde", "fghij"] && $0.pane == ["one", "two"]
    }
  }

  @Test func `a very low window has no pane until it is higher again`() async throws {
    let session = try await FixtureSession(rows: 12)
    await session.terminal.command("W")
    try await session.paint("one", "two")
    await session.terminal.send("half")
    for rows in [7, 2, 1] {
      session.terminal.resize(columns: 80, rows: rows)
      // Too low to show the message for long: the prompt alone.
      try await session.terminal.expect(prompt: "ask> half", cursorAt: 9, pane: [])
      try await session.terminal.expect("window 80x\(rows), pane 0")
    }
    await session.terminal.send(" done")
    session.terminal.resize(columns: 80, rows: 12)
    try await session.terminal.expect(
      prompt: "ask> half done", cursorAt: 14, pane: ["one", "two"])
  }

  @Test func `Ctrl-L clears the conversation and keeps the pane`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("one", "two")
    await session.terminal.send("half\u{2}")
    try await session.terminal.expect(prompt: "ask> half", cursorAt: 8, pane: ["one", "two"])
    await session.terminal.send("\u{C}")
    try await session.terminal.expect("a cleared screen") {
      $0.lines.filter { !$0.isEmpty } == ["ask> half", "one", "two"] && $0.cursor.row == 9
        && $0.cursor.column == 8
    }
    await session.terminal.send("\u{C}-\r")
    try await session.terminal.expect("text 5: hal-f")
  }

  @Test func `Ctrl-C does not affect the pane`() async throws {
    let session = try await FixtureSession(columns: 20, rows: 12)
    try await session.paint("one", "two")
    await session.terminal.send("0123456789abcdefghij\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}")
    // Ctrl-C throws away what has not been read.
    try await session.terminal.expect("the cursor in the line's first row") {
      $0.conversation.last == "fghij" && $0.cursor == .init(row: 8, column: 18)
    }
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("a fresh prompt") {
      $0.conversation.suffix(3) == ["ask> 0123456789abcde", "fghij^C", "ask> "]
        && $0.pane == ["one", "two"]
    }
  }

  @Test func `candidates are listed above the pane`() async throws {
    let session = try await FixtureSession(rows: 8)
    try await session.paint("one", "two", "three")
    for _ in 1...4 { await session.terminal.send("list m\t\t\u{15}") }
    await session.terminal.send("list m\t\t")
    // Each of the five looks the same but for what is above it.
    try await session.terminal.expect("the candidates, five times") {
      $0.conversation.filter { $0 == "milk  mint" }.count >= 5
    }
    try await session.terminal.expect(
      prompt: "ask> list mi", cursorAt: 12, pane: ["one", "two", "three"])
  }

  @Test(.enabled(if: LinkedEditor.isReadline))
  func `a search through the history does not affect the pane`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.enter("first")
    try await session.paint("one", "two")
    await session.terminal.send("\u{12}fir")
    try await session.terminal.expect("(reverse-i-search)`fir': first")
    try await session.paint("one", "three", "four")
    #expect(session.terminal.screen.conversation.last == "(reverse-i-search)`fir': first")
    await session.terminal.send("\u{5}")
    try await session.terminal.expect(
      prompt: "ask> first", cursorAt: 10, pane: ["one", "three", "four"])
  }

  @Test func `a line longer than its region does not reach the pane`() async throws {
    let session = try await FixtureSession(columns: 20, rows: 8)
    try await session.paint("one", "two", "three")
    let line = String(repeating: "0123456789", count: 30)
    await session.terminal.send(line + "\u{1}x\u{5}y")
    try await session.settle("o news")
    try await session.paint("one", "2", "three")
    await session.terminal.send("\r")
    try await session.terminal.expect("text 302: x0123")
    try await session.terminal.expect(prompt: "ask> ", cursorAt: 5, pane: ["one", "2", "three"])
  }
}

@Suite(.bounded) struct PaneLeavingTests {
  /// The window as it should be left: nothing of the pane, the cursor on a fresh line.
  private func expectCleanEnd(_ terminal: TerminalSession) {
    let screen = terminal.screen
    #expect(screen.lines.allSatisfy { !$0.hasPrefix("pane") })
    #expect(screen.pane == [] && screen.cursor.column == 0)
    #expect(screen.cursor.row == screen.lines.count)
    #expect(terminal.transcript.contains("\u{1B}[r"))
    #expect(terminal.finalSettings == terminal.initialSettings)
    #expect(screen.unknownSequences == [])
  }

  @Test func `quitting restores the whole window`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2")
    #expect(try await session.quit() == .exited(0))
    expectCleanEnd(session.terminal)
  }

  @Test func `the program's own exit does, too`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2")
    await session.terminal.send("exit\r")
    #expect(try await session.terminal.waitForExit() == .exited(3))
    expectCleanEnd(session.terminal)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `so does the end by a signal`(signal: Int32) async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2")
    await session.terminal.send("half")
    try await session.terminal.expect(
      prompt: "ask> half", cursorAt: 9, pane: ["pane 1", "pane 2"])
    session.terminal.signal(signal)
    #expect(try await session.terminal.waitForExit() == .signalled(signal))
    expectCleanEnd(session.terminal)
    #expect(session.terminal.screen.conversation.last == "ask> half")
  }

  @Test func `rows painted after the close are ignored`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2")
    for command in ["c", "r late", "s", "x"] { await session.terminal.command(command) }
    try await session.terminal.expect("no more lines")
    try await session.terminal.expect("plain bold red rest")
    #expect(session.terminal.screen.pane == [])
  }

  @Test func `Ctrl-Z returns the window to the shell, and fg restores the pane`() async throws {
    let shell = try TerminalSession(
      "/bin/sh", arguments: ["-i"], environment: ["PS1": "shell: "], rows: 16)
    try await shell.expect("shell: ")
    await shell.send("\(BuiltProduct.path("ReadlineFixture")) controlled\r")
    try await shell.expect("ask> ")
    await shell.command("r pane 1|pane 2")
    await shell.send("half")
    try await shell.expect(prompt: "ask> half", cursorAt: 9, pane: ["pane 1", "pane 2"])
    await shell.send("\u{1A}")
    try await shell.expect("the shell's prompt, and no pane") {
      $0.lines.last == "shell: " && $0.pane == []
    }
    // Painted while the shell has the screen: seen when it is fetched back.
    await shell.command("r pane 1|changed")
    shell.resize(columns: 80, rows: 14)
    await shell.send("fg\r")
    try await shell.expect(prompt: "ask> half", cursorAt: 9, pane: ["pane 1", "changed"])
    await shell.send(" done\r")
    try await shell.expect("text 9: half done")
  }

  @Test func `a program that was stopped lays everything out again`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2")
    await session.terminal.send("half")
    session.terminal.signal(SIGSTOP)
    session.terminal.signal(SIGCONT)
    await session.terminal.send(" done")
    try await session.terminal.expect(
      prompt: "ask> half done", cursorAt: 14, pane: ["pane 1", "pane 2"])
  }
}
