import ProgramTesting
import TestLimits
import Testing

@Suite(.bounded) struct PasteTests {
  @Test func `a paste is text until Enter, which runs each line in its order`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\ntwo\nfo")
    try await session.terminal.expect(lastLines: "ask> one", "two", "fo")
    #expect(session.terminal.screen.lines == ["interactive", "ask> one", "two", "fo"])
    await session.terminal.send("ur\r")
    try await session.terminal.expect(
      lastLines: "interactive", "ask> one", "text 3: one", "ask> two", "text 3: two", "ask> four",
      "text 4: four", "ask> ")
  }

  @Test func `a line break at the end of a paste begins no further line`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\n\ntwo\n")
    try await session.terminal.expect(lastLines: "ask> one", "", "two")
    await session.terminal.send("\r")
    try await session.terminal.expect(
      lastLines: "ask> one", "text 3: one", "ask>", "text 0:", "ask> two", "text 3: two", "ask> ")
  }

  @Test(arguments: ["\u{3}", "\u{15}"])
  func `Ctrl-C and Ctrl-U drop a paste`(key: String) async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\ntwo\nthree")
    try await session.terminal.expect(lastLines: "ask> one", "two", "three")
    await session.terminal.send(key)
    try await session.terminal.expect("an empty line") { $0.lines.last == "ask> " }
    try await session.enter("after")
    #expect(session.terminal.screen.history.filter { $0.hasPrefix("text") } == ["text 5: after"])
  }

  @Test func `a paste can be edited, also over its line breaks`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\ntwo\nthree")
    try await session.terminal.expect(lastLines: "ask> one", "two", "three")
    // To the line break before "three", which goes; then to the beginning.
    await session.terminal.send("\u{2}\u{2}\u{2}\u{2}\u{2}\u{7F}-\u{1}x\r")
    try await session.terminal.expect(
      lastLines: "ask> xone", "text 4: xone", "ask> two-three", "text 9: two-three", "ask> ")
  }

  @Test func `the history has each line that was run, and none that was dropped`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("dropped\nas well")
    await session.terminal.send("\u{15}")
    await session.terminal.paste("one\ntwo\n")
    await session.terminal.send("\r")
    try await session.terminal.expect(lastLines: "text 3: two", "ask> ")
    #expect(session.state.read("readline-fixture/history") == "one\ntwo\n")
    await session.terminal.send("\u{10}\u{10}")
    try await session.terminal.expect(lastLine: "ask> one", cursorAt: 8)
  }

  @Test func `two thousand lines, twice, and Ctrl-D behind them`() async throws {
    let session = try await FixtureSession()
    let lines = (1...2_000).map { "a line of a paste, number \($0)\n" }.joined()
    for _ in 1...2 {
      await session.terminal.paste(lines)
      await session.terminal.send("\r")
    }
    await session.terminal.send("\u{4}")
    try await session.terminal.expect(lastLines: "no more lines")
    let answers = session.terminal.screen.history.filter { $0.hasPrefix("text ") }
    #expect(answers.count == 4_000)
    #expect(answers.last == "text 30: a line of a paste, number 2000")
  }

  @Test func `two pastes into one line are one text`() async throws {
    let session = try await FixtureSession()
    for _ in 1...2 { await session.terminal.paste("one\ntwo\n") }
    await session.terminal.send("\r")
    try await session.terminal.expect("all four") { screen in
      screen.lines.last == "ask> "
        && screen.history.filter { $0.hasPrefix("text") }
          == ["text 3: one", "text 3: two", "text 3: one", "text 3: two"]
    }
  }

  @Test func `Ctrl-C drops the lines that are still to be run`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("wait\none\ntwo")
    await session.terminal.send("\r")
    try await session.terminal.expect("waiting")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect(lastLines: "waiting", "^C")
    await session.terminal.command("g")
    try await session.enter("after")
    #expect(session.terminal.screen.history.filter { $0.hasPrefix("text") } == ["text 5: after"])
  }

  @Test func `a paste that is too high shows the part with the cursor`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("pane 1", "pane 2", "pane 3")
    await session.terminal.paste((1...30).map { "line \($0)" }.joined(separator: "\n"))
    try await session.terminal.expect("its end above the pane") { screen in
      screen.conversation.last == "line 30" && screen.conversation.contains("line 29")
        && screen.conversation.contains { $0.hasPrefix("ask> ") && $0.contains("more lines") }
        && screen.pane == ["pane 1", "pane 2", "pane 3"]
    }
    await session.terminal.send("\u{1}x")
    try await session.terminal.expect("its beginning above the pane") { screen in
      screen.conversation.contains("ask> xline 1") && screen.conversation.contains("line 2")
        && screen.conversation.last?.contains("more lines") == true
        && screen.pane == ["pane 1", "pane 2", "pane 3"]
    }
    await session.terminal.send("\r")
    try await session.terminal.expect("text 7: line 30")
    let answers = session.terminal.screen.conversation.filter { $0.hasPrefix("text") }
    #expect(answers == ["text 7: xline 1"] + (2...30).map { "text \($0 < 10 ? 6 : 7): line \($0)" })
  }

  @Test func `rows that change below a paste do not affect it`() async throws {
    let session = try await FixtureSession()
    try await session.paint("first row stays", "tick", "last row stays")
    await session.terminal.paste("one\ntwo\nthree")
    await session.terminal.command("t 200")
    await session.terminal.command("o news")
    try await session.terminal.expect("the paste above the rows") { screen in
      screen.conversation.suffix(4) == ["news", "ask> one", "two", "three"]
        && screen.pane == ["first row stays", "tick 200", "last row stays"]
        && screen.cursor.column == 5
    }
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `keys in a paste are text`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("x\ty\u{4}\u{1}z\n")
    await session.terminal.send("\r")
    try await session.terminal.expect("text 6: x")
    try await session.enter("after")
  }

  @Test(arguments: ["\u{12}on", "\u{16}", "\u{1D}", "\u{1B}5", "\u{18}"])
  func `after a key that waits for another a paste runs nothing`(keys: String) async throws {
    let session = try await FixtureSession()
    try await session.enter("once")
    await session.terminal.send(keys)
    await session.terminal.paste("one\ntwo\n")
    await session.terminal.send("\u{7}\u{5}\u{15}")
    try await session.enter("after")
    #expect(
      session.terminal.screen.history.filter { $0.hasPrefix("text") }
        == ["text 4: once", "text 5: after"])
  }

  @Test func `Tab completes the last line of a paste`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\nlist mi")
    await session.terminal.send("l\t")
    try await session.terminal.expect(lastLines: "ask> one", "list milk ")
  }

  @Test func `the line is reported with its line breaks`() async throws {
    let session = try await FixtureSession()
    try await session.settle("E")
    await session.terminal.paste("one\ntwo")
    try await session.terminal.expect(#"changed("one\ntwo")"#)
  }

  @Test func `a line of a paste that is too long is reported, and no other`() async throws {
    let session = try await FixtureSession()
    await session.terminal.paste("one\n\(String(repeating: "x", count: 70_000))\ntwo")
    await session.terminal.send("\r")
    try await session.terminal.expect("text 3: two")
    #expect(session.terminal.screen.history.count { $0 == "too long" } == 1)
    #expect(session.terminal.screen.history.contains("text 3: one"))
  }

  @Test func `a paste that never ends is dropped by Ctrl-C`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("\u{1B}[200~one\rtwo\r")
    for count in 1...2 {
      await session.terminal.send("\u{3}")
      try await session.terminal.expect("a fresh prompt") { screen in
        screen.lines.last == "ask> " && screen.lines.count { $0 == "ask> ^C" } == count
      }
    }
    try await session.enter("after")
    #expect(session.terminal.screen.history.filter { $0.hasPrefix("text") } == ["text 5: after"])
  }
}

/// When a terminal is asked for marks.
@Suite(.bounded) struct PasteMarkTests {
  @Test func `bracketed paste is enabled until the program leaves the terminal`() async throws {
    let session = try await FixtureSession()
    #expect(session.terminal.screen.marksPastes)
    #expect(try await session.quit() == .exited(0))
    #expect(!session.terminal.screen.marksPastes)
  }

  @Test func `a shell that is resumed receives no marks`() async throws {
    let shell = try TerminalSession("/bin/sh", arguments: ["-i"], environment: ["PS1": "shell: "])
    try await shell.expect("shell: ")
    await shell.send("\(BuiltProduct.path("ReadlineFixture"))\r")
    try await shell.expect("marks") { $0.lines.last == "ask> " && $0.marksPastes }
    await shell.send("\u{1A}")
    try await shell.expect("no marks") { $0.lines.last == "shell: " && !$0.marksPastes }
    await shell.send("fg\r")
    try await shell.expect("marks") { $0.lines.last == "ask> " && $0.marksPastes }
  }

  @Test(.enabled(if: LinkedEditor.isReadline))
  func `a user's own settings keep each pasted line a line that runs`() async throws {
    let state = try ScratchDirectory()
    try state.write("set enable-bracketed-paste off\n", to: "inputrc")
    let session = try await FixtureSession(
      state: state, environment: ["INPUTRC": "\(state.path)/inputrc"])
    #expect(!session.terminal.screen.marksPastes)
    await session.terminal.paste("one\ntwo\nfo")
    try await session.terminal.expect(lastLines: "text 3: two", "ask> fo")
  }

  @Test func `a second console enables it as well`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("again\r")
    try await session.terminal.expect(lastLines: "ask> again", "interactive", "ask> ")
    await session.terminal.paste("one\ntwo")
    try await session.terminal.expect(lastLines: "ask> one", "two")
  }

  @Test(arguments: ["dumb", "unknown"])
  func `a terminal that can only print is not asked to enable it`(term: String) async throws {
    let session = try await FixtureSession(environment: ["TERM": term])
    await session.terminal.paste("one\ntwo\nfo")
    try await session.terminal.expect(lastLines: "text 3: two", "ask> fo")
    #expect(!session.terminal.transcript.contains("2004"))
  }
}
