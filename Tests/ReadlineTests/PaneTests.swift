import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct PaneTests {
  @Test func `rows appear below the prompt, at the bottom of the window`() async throws {
    let session = try await FixtureSession(rows: 12)
    try await session.paint("one", "two", "three")
    #expect(session.terminal.screen.conversation.last == "ask> ")
    #expect(session.terminal.screen.cursor == .init(row: 8, column: 5))
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `a half-typed line stays while rows change a thousand times`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half\u{2}\u{2}")
    await session.terminal.command("t 1000")
    try await session.terminal.expect(
      prompt: "ask> half", cursorAt: 7, pane: ["first row stays", "tick 1000", "last row stays"])
    // Drawn by readline when it was typed, and once more when the pane took its place.
    #expect(session.terminal.transcript.split(separator: "ask> ").count <= 3)
    #expect(session.terminal.transcript.split(separator: "first row stays").count == 2)
    await session.terminal.send("-\r")
    try await session.terminal.expect("text 5: ha-lf")
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `characters and rows are handled in turn`() async throws {
    let session = try await FixtureSession(columns: 20)
    try await session.paint("row 0", "last")
    var typed = ""
    for number in 1...30 {
      let letter = String(number % 10)
      typed += letter
      await session.terminal.send(letter)
      try await session.paint("row \(number)", "last")
    }
    try await session.terminal.expect("all of the line") {
      $0.conversation.suffix(2) == ["ask> 123456789012345", "678901234567890"]
        && $0.pane == ["row 30", "last"]
    }
    await session.terminal.send("\r")
    try await session.terminal.expect("text 30: \(typed.prefix(8))")
  }

  @Test func `however fast rows change, keys are read`() async throws {
    let session = try await FixtureSession()
    await session.terminal.command("t forever")
    try await session.terminal.expect("a pane") { $0.pane.count == 3 }
    await session.terminal.send("hello\r")
    try await session.terminal.expect("text 5: hello")
    #expect(try await session.quit() == .exited(0))
  }

  @Test func `only rows that differ are written`() async throws {
    let session = try await FixtureSession()
    try await session.paint("first", "second", "third")
    let before = session.terminal.transcript
    try await session.paint("first", "other", "third")
    let written = session.terminal.transcript.dropFirst(before.count)
    #expect(written == "\u{1B}7\u{1B}[?7l\u{1B}[23;1H\u{1B}[Kother\u{1B}[?7h\u{1B}8")
  }

  @Test func `rows that have not changed are not written at all`() async throws {
    let session = try await FixtureSession()
    try await session.paint("first", "second")
    let before = session.terminal.transcript
    await session.terminal.command("r first|second")
    try await session.settle("o news")
    #expect(!session.terminal.transcript.dropFirst(before.count).contains("\u{1B}7"))
  }

  @Test func `printed lines scroll above, and all of them are kept`() async throws {
    let session = try await FixtureSession(rows: 10)
    try await session.paint("one", "two")
    for number in 1...30 { await session.terminal.command("o line \(number)") }
    try await session.terminal.expect("line 30")
    let lines = session.terminal.screen.conversation.filter { $0.hasPrefix("line") }
    #expect(lines == (1...30).map { "line \($0)" })
    #expect(session.terminal.screen.pane == ["one", "two"])
  }

  @Test func `a row too wide for the window is cut`() async throws {
    let session = try await FixtureSession(columns: 12)
    try await session.settle("r 0123456789abcdef|語語語語語語語語|next")
    try await session.terminal.expect("a cut row") {
      $0.pane == ["0123456789af", "語語語語語語", "next"]
    }
  }

  @Test func `a row that fills the window is shown to its last character`() async throws {
    let session = try await FixtureSession(columns: 20)
    try await session.paint("01234567890123456789", "語語語語語語語語語語", "x")
    try await session.paint("", "x", "0123456789012345678")
  }

  @Test func `no escape code in a row is obeyed`() async throws {
    let session = try await FixtureSession()
    try await session.settle("r \u{1B}[2J|tab\there|\u{9B}2J|\u{202E}back")
    try await session.terminal.expect("harmless rows") {
      $0.pane == ["\u{FFFD}[2J", "tab\u{FFFD}here", "\u{FFFD}2J", "back"]
    }
  }
}

@Suite(.bounded) struct PaneStyleTests {
  @Test func `styles are shown in the pane and in what is printed`() async throws {
    let session = try await FixtureSession()
    try await session.settle("s")
    try await session.terminal.expect("a styled row") { $0.pane == ["plain bold red rest"] }
    let screen = session.terminal.screen
    #expect(screen.style(of: "bold red") == [1, 31])
    #expect(screen.style(of: "plain") == [] && screen.style(of: " rest") == [])
    #expect(screen.conversation.filter { $0 == "plain bold red rest" }.count == 2)
    #expect(session.terminal.transcript.split(separator: "\u{1B}[1;31mbold red\u{1B}[m").count == 4)
  }

  @Test func `NO_COLOR removes the styles, but not the pane`() async throws {
    let session = try await FixtureSession(environment: ["NO_COLOR": "1"])
    try await session.settle("s")
    try await session.terminal.expect("a plain row") { $0.pane == ["plain bold red rest"] }
    #expect(session.terminal.screen.style(of: "bold red") == [])
    #expect(!session.terminal.transcript.contains("31m"))
  }

  @Test func `an empty NO_COLOR has no effect`() async throws {
    let session = try await FixtureSession(environment: ["NO_COLOR": ""])
    try await session.settle("s")
    #expect(session.terminal.transcript.contains("\u{1B}[1;31m"))
  }

  @Test(arguments: ["dumb", "", "unknown", "vt52", "emacs"])
  func `a terminal that cannot paint gets neither styles nor a pane`(term: String) async throws {
    let session = try await FixtureSession(environment: ["TERM": term])
    try await session.settle("s")
    try await session.settle("w")
    #expect(session.terminal.screen.conversation.contains("window 80x24, pane 0"))
    #expect(session.terminal.screen.conversation.contains("plain bold red rest"))
    #expect(session.terminal.screen.pane == [])
    for sequence in ["\u{1B}7", "31m", "\u{1B}[1;"] {
      #expect(!session.terminal.transcript.contains(sequence))
    }
  }
}
