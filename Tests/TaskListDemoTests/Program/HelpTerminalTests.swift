import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

/// Help that is longer than the room above the prompt.
@Suite(.bounded) struct HelpTerminalTests {
  /// Asks for help and turns its pages; gives what was to be seen.
  private func pages(
    of terminal: TerminalSession, by key: String = "\r"
  ) async throws -> [String] {
    await terminal.send("help\r")
    var (lines, before): ([String], String?) = ([], nil)
    while true {
      // Where a page is says its last row, or its title.
      try await terminal.expect("another page") { [before] screen in
        let (title, end) = (screen.shown.first ?? "", screen.shown.last ?? "")
        return end.contains("Enter") && "\(title) \(end)" != before && screen.isDrawn
      }
      let shown = terminal.screen.shown
      // The last page repeats as much as fits.
      lines += shown.dropLast().filter { !$0.hasPrefix("Help ") && !lines.contains($0) }
      before = "\(shown.first ?? "") \(shown.last ?? "")"
      guard shown.last?.contains("more") == true else { return lines }
      await terminal.send(key)
    }
  }

  @Test(arguments: [(80, 24), (80, 30), (200, 60), (80, 10)], ["\r", "\u{1B}[6~"])
  func `every command is shown, one page after the other`(
    size: (columns: Int, rows: Int), key: String
  ) async throws {
    let session = try await TaskSession(
      try TaskProgram(), columns: size.columns, rows: size.rows)
    let lines = try await pages(of: session.terminal, by: key)
    #expect(
      lines
        == ListCommand.table.infos.map(\.usage).map { usage in
          lines.first { $0.hasPrefix(usage + " ") } ?? "\(usage) is missing"
        })
  }

  @Test func `PgUp goes back, and the next line shows the list again`() async throws {
    let session = try await TaskSession("a")
    await session.enter("help")
    try await session.terminal.expect("the first page") {
      $0.shown.dropFirst().first?.hasPrefix("add TITLE") == true
    }
    await session.terminal.send("\u{1B}[6~")
    try await session.terminal.expect("the last page") {
      $0.shown.dropLast().last?.hasPrefix("quit") == true
    }
    await session.terminal.send("\u{1B}[5~")
    try await session.terminal.expect("the first page") {
      $0.shown.dropFirst().first?.hasPrefix("add TITLE") == true
    }
    await session.enter("done 1")
    try await session.expect("> ", pane: "Tasks", "1. [x] a", "marked \"a\" as done")
  }

  @Test func `a search that is typed shows through it`() async throws {
    let session = try await TaskSession("a", "b")
    await session.enter("help")
    try await session.terminal.expect("help") { $0.shown.first?.hasPrefix("Help") == true }
    await session.terminal.send("search b")
    try await session.expect("> search b", pane: "Tasks · search “b”", "1. [ ] b")
  }

  @Test func `each screen has its own`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    try await session.terminal.expect("the editor") { $0.conversation.last == "edit > " }
    await session.enter("help")
    try await session.terminal.expect("its help") { screen in
      screen.shown.contains { $0.hasPrefix("cancel, back") }
    }
    await session.enter("cancel")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a")
  }

  @Test func `a window that is too low for the list reports it, and has help by pages`()
    async throws
  {
    let program = try TaskProgram()
    try await program.add("a")
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database],
      environment: program.environment, rows: 6)
    try await terminal.expect(
      lastLines: "the window is too low to show the tasks, which takes 8 rows: 'list' prints them",
      "> ")
    await terminal.send("help\r")
    try await terminal.expect("the first page") {
      $0.lines.suffix(2) == ["Enter: more", "> "]
        && $0.lines.contains { $0.hasPrefix("rename N TITLE") }
    }
    for _ in 1...5 { await terminal.send("\r") }
    try await terminal.expect("the last page") {
      $0.lines.dropLast().last?.hasPrefix("quit") == true && $0.lines.last == "> "
    }
    await terminal.send("list\r")
    try await terminal.expect(lastLines: "> list", "1. [ ] a", "> ")
  }
}
