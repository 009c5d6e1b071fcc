import ProgramTesting
import TestLimits
import Testing

/// Ctrl-R with libedit, which has no search while a key is awaited.
@Suite(.bounded) struct HistorySearchTests {
  @Test(.enabled(if: !LinkedEditor.isReadline))
  func `Ctrl-R finds the last line that contains what is typed, then earlier ones`()
    async throws
  {
    let session = try await FixtureSession()
    for line in ["first one", "second", "first two"] { try await session.enter(line) }
    await session.terminal.send("irs\u{12}")
    try await session.terminal.expect(lastLines: "ask> first two")
    await session.terminal.send("\u{12}")
    try await session.terminal.expect(lastLines: "ask> first one")
    await session.terminal.send("\r")
    try await session.terminal.expect("text 9: first one")
  }
}
