import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct TypingTests {
  @Test func `a line typed is a line read`() async throws {
    let session = try await FixtureSession()
    try await session.enter("hello")
    #expect(try await session.quit() == .exited(0))
  }

  @Test func `text can be changed in the middle of the line`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("hxllo\u{1}\u{6}\u{4}e\r")
    try await session.terminal.expect("text 5: hello")
  }

  @Test func `characters of several bytes are one character to the keys`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("größe語\u{7F}\u{7F}\u{7F}n\r")
    try await session.terminal.expect("text 5: grön")
  }

  @Test(arguments: ["", "C", "en_US.ISO-8859-1"])
  func `in any locale, text is UTF-8`(locale: String) async throws {
    let session = try await FixtureSession(environment: ["LANG": "", "LC_ALL": locale])
    await session.terminal.send("é語\u{7F}")
    try await session.terminal.expect(lastLine: "ask> é", cursorAt: 6)
  }

  @Test func `bytes that are not UTF-8 are reported`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send(bytes: [0xFF, 0x0D])
    try await session.terminal.expect("not UTF-8")
    try await session.enter("after")
  }

  @Test func `Ctrl-C drops the typed line and asks again`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("forget this")
    try await session.terminal.expect(lastLines: "ask> forget this")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect(lastLines: "ask> forget this^C", "ask> ")
    try await session.enter("kept")
  }

  @Test(.enabled(if: LinkedEditor.isReadline))
  func `Ctrl-C leaves a search`() async throws {
    let session = try await FixtureSession()
    try await session.enter("first")
    await session.terminal.send("\u{12}fir")
    try await session.terminal.expect("(reverse-i-search)`fir': first")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect(lastLines: "ask> ")
    try await session.enter("second")
  }

  @Test func `Ctrl-D on an empty line ends the input`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("\u{4}")
    try await session.terminal.expect(lastLines: "ask>", "no more lines")
  }

  @Test func `every line of a paste is a line of its own`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("one\ntwo\nthree\nfo")
    try await session.terminal.expect(lastLines: "text 5: three", "ask> fo")
    #expect(session.terminal.screen.history.filter { $0.hasPrefix("text") }.count == 3)
  }

  @Test func `a line may be longer than the screen is wide`() async throws {
    let session = try await FixtureSession(columns: 20)
    await session.terminal.send("0123456789abcdefghij")
    try await session.terminal.expect(lastLines: "ask> 0123456789abcde", "fghij")
    await session.terminal.send("\u{1}x\u{5}y\r")
    try await session.terminal.expect("text 22: x0123456789")
  }

  @Test func `a line beyond the limit is reported and not divided`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send(String(repeating: "x", count: 200_000) + "\r")
    try await session.terminal.expect("too long")
    try await session.enter("after")
  }

  @Test func `the transcript is free of terminal modes`() async throws {
    let session = try await FixtureSession()
    try await session.enter("hello")
    #expect(try await session.quit() == .exited(0))
    // But for the wish that pastes are marked.
    let transcript = session.terminal.transcript
      .replacing("\u{1B}[?2004h", with: "").replacing("\u{1B}[?2004l", with: "")
    #expect(!transcript.contains("\u{1B}[?"))
    #expect(session.terminal.screen.unknownSequences == [])
  }
}
