import ProgramTesting
import Testing
import TestLimits

/// Keys and windows that GNU readline 8.2 dies of, as python and gdb do.
@Suite(.bounded) struct TrapTests {
  @Test(arguments: [
    "\u{1}", "\u{5}", "\u{8}", "\t", "\r", "\u{1B}", "e", "u", "x", " ", "(", ")", "\u{18}",
    "\u{12}",
  ])
  func `Ctrl-X in a search is harmless`(next: String) async throws {
    let session = try await FixtureSession()
    try await session.enter("first")
    await session.terminal.send("\u{12}f\u{18}\(next)")
    await session.beginAnew()
    try await session.enter("still here")
    #expect(try await session.quit() == .exited(0))
  }

  @Test(arguments: ["\u{1B}\r", "\u{1B}\n"])
  func `Meta-Return does not change what the keys mean`(keys: String) async throws {
    let session = try await FixtureSession()
    await session.terminal.send("abc\(keys)\u{1}x\u{5}y\u{15}")
    try await session.enter("still here")
    await session.terminal.send("\(keys)\u{1B}[2J\u{15}")
    try await session.enter("still here, too")
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (5, 3)])
  func `a window of almost no size ends nothing`(size: (columns: Int, rows: Int)) async throws {
    let session = try await FixtureSession()
    await session.terminal.send("abc")
    session.terminal.resize(columns: size.columns, rows: size.rows)
    await session.terminal.send("\u{1B}x \u{8}\u{12}b\u{7}\t\u{1B}[D\u{15}")
    session.terminal.resize(columns: 80, rows: 24)
    await session.beginAnew()
    try await session.enter("still here")
    #expect(try await session.quit() == .exited(0))
  }
}

extension FixtureSession {
  /// Ends a search and empties the line, whatever has become of them.
  ///
  /// By keys alone: Ctrl-C would take along what was typed behind it, and means nothing between
  /// two lines.
  fileprivate func beginAnew() async {
    await terminal.send("\u{7}\u{5}\u{15}")
  }
}
