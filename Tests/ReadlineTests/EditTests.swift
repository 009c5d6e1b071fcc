import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct EditTests {
  @Test func `the line is reported as it is typed`() async throws {
    let session = try await FixtureSession()
    try await session.settle("E")
    await session.terminal.send("hé")
    try await session.terminal.expect("changed(\"hé\")")
    await session.terminal.send("\u{7F}")
    try await session.terminal.expect("changed(\"h\")")
    await session.terminal.send("\u{15}")
    try await session.terminal.expect("changed(\"\")")
  }

  @Test func `Enter and Ctrl-C end a line, each in its way`() async throws {
    let session = try await FixtureSession()
    try await session.settle("E")
    await session.terminal.send("one")
    try await session.terminal.expect("changed(\"one\")")
    await session.terminal.send("\r")
    try await session.terminal.expect("entered")
    await session.terminal.send("two")
    try await session.terminal.expect("changed(\"two\")")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("dropped")
  }

  @Test func `a key that changes nothing is not reported`() async throws {
    let session = try await FixtureSession()
    try await session.settle("E")
    await session.terminal.send("one")
    try await session.terminal.expect("changed(\"one\")")
    await session.terminal.send("\u{2}\u{2}\u{5}")
    await session.terminal.send("!")
    try await session.terminal.expect("changed(\"one!\")")
    let told = session.terminal.screen.history.filter { $0 == "changed(\"one\")" }
    #expect(told.count == 1)
  }

  @Test(.enabled(if: LinkedEditor.isReadline))
  func `a line fetched from the history is reported, a search's match is not`()
    async throws
  {
    let session = try await FixtureSession()
    try await session.enter("first")
    try await session.settle("E")
    await session.terminal.send("\u{12}fir")
    try await session.terminal.expect("(reverse-i-search)`fir': first")
    #expect(!session.terminal.transcript.contains("changed"))
    await session.terminal.send("\u{5}")
    try await session.terminal.expect("changed(\"first\")")
  }
}
