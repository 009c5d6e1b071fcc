import ProgramTesting
import Testing
import TestLimits

@testable import Readline

@Suite(.bounded) struct HistoryTests {
  private let file = "readline-fixture/history"

  @Test func `lines of one run can be fetched back in the next`() async throws {
    let first = try await FixtureSession()
    try await first.enter("remember me")
    #expect(try await first.quit() == .exited(0))
    let second = try await FixtureSession(state: first.state)
    await second.terminal.send("\u{10}\u{10}")
    try await second.terminal.expect(lastLine: "ask> remember me", cursorAt: 16)
  }

  @Test func `blank lines and repeats are not stored`() async throws {
    let session = try await FixtureSession()
    try await session.enter("one")
    await session.terminal.send("   \r")
    try await session.terminal.expect("text 3:")
    for line in ["one", "two"] { try await session.enter(line) }
    #expect(session.state.read(file) == "one\ntwo\n")
  }

  @Test func `two programs at once share the file`() async throws {
    let first = try await FixtureSession()
    let second = try await FixtureSession(state: first.state)
    try await first.enter("from the first")
    try await second.enter("from the second")
    try await first.enter("and again")
    #expect(first.state.read(file) == "from the first\nfrom the second\nand again\n")
  }

  @Test(arguments: ["readline-fixture", "readline-fixture/history/in-its-place"])
  func `an obstacle in place of the file is no error`(obstacle: String) async throws {
    let state = try ScratchDirectory()
    try state.write("not a history", to: obstacle)
    let session = try await FixtureSession(state: state)
    try await session.enter("hello")
    await session.terminal.send("\u{10}")
    try await session.terminal.expect(lastLines: "text 5: hello", "ask> hello")
    #expect(state.read(obstacle) == "not a history")
  }

  @Test func `a file that has grown too long is shortened`() async throws {
    let state = try ScratchDirectory()
    try state.write((1...5_000).map { "line \($0)\n" }.joined(), to: file)
    let session = try await FixtureSession(state: state)
    #expect(state.read(file) == (4_001...5_000).map { "line \($0)\n" }.joined())
    await session.terminal.send("\u{10}")
    try await session.terminal.expect(lastLine: "ask> line 5000", cursorAt: 14)
  }
}

@Suite(.bounded) struct HistoryLogTests {
  @Test func `only the last thousand lines are stored`() {
    var log = HistoryLog(fileText: [])
    for number in 1...1_005 { log.add("\(number)") }
    #expect(log.entries.count == 1_000)
    #expect(log.entries.first == "6")
  }

  @Test func `a line that would span lines in the file is not stored`() {
    var log = HistoryLog(fileText: [])
    let isKept = log.add("a\nb")
    #expect(!isKept)
    #expect(log.entries == [])
  }

  @Test func `a line in the file that is no text is skipped`() {
    let log = HistoryLog(fileText: Array("one\n".utf8) + [0xFF, 0x0A] + Array("two".utf8))
    #expect(log.entries == ["one", "two"])
  }

  @Test func `the state directory is the one of the XDG specification`() {
    #expect(HistoryFile.stateDirectory { ["XDG_STATE_HOME": "/x", "HOME": "/h"][$0] } == "/x")
    #expect(HistoryFile.stateDirectory { ["HOME": "/h"][$0] } == "/h/.local/state")
    let relative = ["XDG_STATE_HOME": "x", "HOME": "/h"]
    #expect(HistoryFile.stateDirectory { relative[$0] } == "/h/.local/state")
    #expect(HistoryFile.stateDirectory { _ in nil } == nil)
  }
}
