import TerminalTesting
import Testing

@testable import Readline

struct CompletionTests {
  @Test func `Tab completes the only word that fits`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("li\t")
    try await session.terminal.expect(lastLine: "ask> list ", cursorAt: 10)
  }

  @Test func `Tab shows the words that fit, and completes what they share`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("list m\t\t")
    try await session.terminal.expect("milk  mint")
    try await session.terminal.expect(lastLine: "ask> list mi", cursorAt: 12)
  }

  @Test func `the program sees the line before the word`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("list é\t")
    try await session.terminal.expect(lastLine: "ask> list été ", cursorAt: 14)
  }

  @Test func `file names are not offered`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("/et\tx")
    try await session.terminal.expect(lastLine: "ask> /etx", cursorAt: 9)
  }

  @Test func `only words that begin with what was typed are candidates`() {
    #expect(Completion.candidates(["milk", "mint", "tea"], for: "mi") == ["milk", "mint"])
    #expect(Completion.candidates(["milk", "tea"], for: "") == ["milk", "tea"])
  }
}
