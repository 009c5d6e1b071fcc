import TerminalTesting
import Testing

struct PaneTests {
  @Test func `rows appear below the prompt, at the bottom of the window`() async throws {
    let session = try await FixtureSession(rows: 12)
    await session.terminal.command("r one|two|three")
    try await session.terminal.expect("a pane") { $0.pane == ["one", "two", "three"] }
    #expect(session.terminal.screen.conversation.last == "ask> ")
    #expect(session.terminal.screen.cursor == .init(row: 8, column: 5))
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `a half-typed line stays while rows change a thousand times`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half\u{2}\u{2}")
    await session.terminal.command("t 1000")
    try await session.terminal.expect("the last tick") {
      $0.pane == ["first row stays", "tick 1000", "last row stays"]
    }
    #expect(session.terminal.screen.conversation.last == "ask> half")
    #expect(session.terminal.screen.cursor.column == 7)
    #expect(session.terminal.transcript.components(between: "ask> ").count <= 3)
    await session.terminal.send("-\r")
    try await session.terminal.expect("text 5: ha-lf")
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `only rows that differ are written`() async throws {
    let session = try await FixtureSession()
    await session.terminal.command("r first|second|third")
    try await session.terminal.expect("a pane") { $0.pane.last == "third" }
    let before = session.terminal.transcript
    await session.terminal.command("r first|other|third")
    try await session.terminal.expect("the change") { $0.pane == ["first", "other", "third"] }
    let written = session.terminal.transcript.dropFirst(before.count)
    #expect(written == "\u{1B}7\u{1B}[?7l\u{1B}[23;1H\u{1B}[Kother\u{1B}[?7h\u{1B}8")
  }

  @Test func `rows that are no others are not written at all`() async throws {
    let session = try await FixtureSession()
    await session.terminal.command("r first|second")
    try await session.terminal.expect("a pane") { $0.pane.last == "second" }
    let before = session.terminal.transcript
    await session.terminal.command("r first|second")
    await session.terminal.command("o news")
    try await session.terminal.expect("news")
    #expect(!session.terminal.transcript.dropFirst(before.count).contains("first"))
  }
}

extension String {
  /// The pieces between the occurrences of a text.
  fileprivate func components(between text: String) -> [Substring] { split(separator: text) }
}
