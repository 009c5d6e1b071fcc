import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct ShowingTests {
  @Test func `a half-typed line survives output above it`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    try await session.terminal.expect(lastLines: "ask> half")
    await session.terminal.command("o news")
    try await session.terminal.expect(lastLines: "interactive", "news", "ask> half")
    await session.terminal.send(" done\r")
    try await session.terminal.expect("text 9: half done")
  }

  @Test func `the cursor stays where it was in the line`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("abcdef\u{2}\u{2}")
    try await session.terminal.expect(lastLine: "ask> abcdef", cursorAt: 9)
    await session.terminal.command("o news")
    try await session.terminal.expect("news")
    try await session.terminal.expect(lastLine: "ask> abcdef", cursorAt: 9)
    await session.terminal.command("p longer ask> ")
    try await session.terminal.expect(lastLine: "longer ask> abcdef", cursorAt: 16)
    await session.terminal.send("-\r")
    try await session.terminal.expect("text 7: abcd-ef")
  }

  @Test func `a new prompt replaces the old one in place`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    for prompt in ["much longer prompt> ", "s> ", "語é> ", ""] {
      await session.terminal.command("p \(prompt)")
      try await session.terminal.expect(lastLines: "interactive", "\(prompt)half")
    }
    await session.terminal.send("\r")
    try await session.terminal.expect("text 4: half")
  }

  @Test func `a prompt that changes very often ends as the last one`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    await session.terminal.command("n 20000")
    try await session.terminal.expect(lastLine: "20000> half", cursorAt: 11)
    #expect(session.terminal.screen.lines == ["interactive", "20000> half"])
  }

  @Test func `control characters in a prompt have no effect`() async throws {
    let session = try await FixtureSession()
    await session.terminal.command("p \u{1B}[2Jx\t> ")
    try await session.terminal.expect(lastLines: "interactive", "[2Jx> ")
  }

  @Test func `output above a wrapped line leaves nothing of it behind`() async throws {
    let session = try await FixtureSession(columns: 20)
    await session.terminal.send("0123456789abcdefghij0123456789")
    try await session.terminal.expect(lastLines: "fghij0123456789")
    await session.terminal.command("o news")
    try await session.terminal.expect(
      lastLines: "interactive", "news", "ask> 0123456789abcde", "fghij0123456789")
  }

  @Test func `a prompt changes in front of a wrapped line`() async throws {
    let session = try await FixtureSession(columns: 20)
    await session.terminal.send("0123456789abcdefghij")
    try await session.terminal.expect(lastLines: "ask> 0123456789abcde", "fghij")
    await session.terminal.command("p longer> ")
    try await session.terminal.expect(
      lastLines: "interactive", "longer> 0123456789ab", "cdefghij")
  }

  @Test func `an error appears above the prompt too`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("half")
    await session.terminal.command("e error: no")
    try await session.terminal.expect(lastLines: "interactive", "error: no", "ask> half")
  }

  @Test(.enabled(if: LinkedEditor.isReadline))
  func `a prompt that changes during a search waits for its end`() async throws {
    let session = try await FixtureSession()
    try await session.enter("first")
    await session.terminal.send("\u{12}fir")
    try await session.terminal.expect("(reverse-i-search)`fir': first")
    await session.terminal.command("p new> ")
    await session.terminal.command("o news")
    try await session.terminal.expect(lastLines: "news", "(reverse-i-search)`fir': first")
    await session.terminal.send("\u{5}")
    try await session.terminal.expect(lastLine: "new> first", cursorAt: 10)
  }

  @Test func `after a resize the line wraps where the screen ends`() async throws {
    let session = try await FixtureSession(columns: 40)
    session.terminal.resize(columns: 20, rows: 24)
    await session.terminal.send("x")
    try await session.terminal.expect(lastLine: "ask> x", cursorAt: 6)
    await session.terminal.send("0123456789abcdefghij")
    try await session.terminal.expect(lastLines: "ask> x0123456789abcd", "efghij")
  }

  @Test func `with any prompts, the screen shows the last and all of the line`() async throws {
    let session = try await FixtureSession(columns: 20)
    let line = "0123456789abcdefghij"
    await session.terminal.send("\(line)\u{2}\u{2}\u{2}")
    for length in [3, 17, 18, 19, 20, 21, 37, 1, 40, 2, 39, 22, 0, 58, 5] {
      let prompt = String(repeating: ">", count: length)
      await session.terminal.command("p \(prompt)")
      let rows = Self.wrapped(prompt + line, columns: 20)
      try await session.terminal.expect("\(rows)") { screen in
        screen.history == ["interactive"] + rows
          && screen.cursor.column == (length + line.count - 3) % 20
      }
    }
  }

  private static func wrapped(_ text: String, columns: Int) -> [String] {
    stride(from: 0, to: text.count, by: columns).map {
      String(text.dropFirst($0).prefix(columns))
    }
  }
}
