import ReactorREPLTesting
import Testing
import TestLimits

/// Bad input: one line on standard error, nothing changed, exit status 1.
@Suite(.bounded) struct PipeErrorTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  private static let before = "1. [ ] Buy milk\n2. [x] Buy bread\n"

  private func expect(
    _ complaint: String, about line: [UInt8], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let start = Array("add Buy milk\nadd Buy bread\ndone 2\n".utf8)
    let run = try await program.talk(bytes: start + line + Array("\nlist\nundo\nlist\n".utf8))
    run.expect(
      error: complaint, output: Self.before + "1. [ ] Buy milk\n2. [ ] Buy bread\n", location)
  }

  @Test(arguments: [
    ("foo", "unknown command 'foo'; 'help' lists all"),
    ("dnoe 1", "unknown command 'dnoe'; did you mean 'done'? ('help' lists all)"),
    ("done 3", "there is no row 3; the list has rows 1 to 2"),
    ("done 1 3", "there is no row 3; the list has rows 1 to 2"),
    ("done 0", "there is no row 0; rows are numbered from 1"),
    ("done -1", "'-1' is no row: rows are numbered from 1; quote it if it begins a title"),
    ("done", "done needs the numbers of tasks; try 'done 2 4-6 \"Buy m\"'"),
    (
      "delete 99999999999999999999",
      "there is no row 99999999999999999999; 'list' shows the rows there are"
    ),
    ("add", "add needs a title; try 'add Buy milk --memo \"two litres\" --section Home'"),
    (
      "add \"  \"",
      "a title cannot be blank; try 'add Buy milk --memo \"two litres\" --section Home'"
    ),
    ("rename 1 ''", "a title cannot be blank; try 'rename 2 Buy oat milk'"),
    ("move 1 3", "there is no row 3; the list has rows 1 to 2"),
    ("move 3 1", "there is no row 3; the list has rows 1 to 2"),
    ("move 1", "move needs the number of a task; try 'move 3 1'"),
    ("edit 9", "there is no row 9; the list has rows 1 to 2"),
    (
      "done buy",
      "'buy' could be 'Buy milk' (@1), 'Buy bread' (@2); type more of the title, or the id"
    ),
    (
      "done Call",
      "no task in the list begins with 'Call'; 'list' shows them (a title of several words "
        + "goes in quotes)"
    ),
    (
      "add \"Buy",
      "a quote (\") is never closed; add another \", or type \\\" for the character itself"
    ),
    ("add it's", "a quote (') is never closed; add another ', or type \\' for an apostrophe"),
    (
      "add a\\",
      "a backslash at the end of the line quotes nothing; type \\\\ for the character itself"
    ),
    ("filter some", "filter takes open, done or all, not 'some'; try 'filter open'"),
    (
      "section Work",
      "there is no section \"Work\"; there are: \"Tasks\"; 'add TITLE --section NAME' makes one"
    ),
    ("redo", "there is nothing to redo; 'undo' makes something"),
    ("clear all", "clear takes done, not 'all'; try 'clear done'"),
    ("quit now", "quit takes nothing, not 'now'; type 'quit' alone"),
    ("add a --meno b", "unknown option '--meno'; did you mean '--memo'? (after '--' it is a text)"),
    (
      "import nowhere.json", "there is no file \"nowhere.json\"; name one that 'export' has written"
    ),
    ("save", "'save' is no command here; changes in the list are saved at once"),
    ("add a\0b", "the title has the control character \\0 in it; leave that out"),
    ("add \u{1B}[2J", "the title has the control character \\u{1B} in it; leave that out"),
    ("\u{1B}[2J", "unknown command '\\u{1B}[2J'; 'help' lists all"),
  ])
  func `bad input is one error`(line: String, complaint: String) async throws {
    try await expect(complaint, about: Array(line.utf8))
  }

  @Test func `invalid UTF-8 is one error`() async throws {
    try await expect(
      "the line is not UTF-8 text; type a command, or 'help'", about: Array("add ".utf8) + [0xFF])
  }

  @Test func `a line of one mebibyte is one error`() async throws {
    try await expect(
      "the line is longer than 65536 bytes; type a command, or 'help'",
      about: Array("add \(String(repeating: "a", count: 1 << 20))".utf8))
  }

  @Test func `a title that is too long is one error`() async throws {
    try await expect(
      "the title is longer than 1000 characters; shorten it",
      about: Array("add \(String(repeating: "語", count: 1_001))".utf8))
  }

  @Test func `every bad line has an error of its own, in order`() async throws {
    let run = try await program.talk("foo", "add a", "bar", "list")
    #expect(
      run.errorOutput
        == ["foo", "bar"].map { "error: unknown command '\($0)'; 'help' lists all\n" }
        .joined())
    #expect(run.output == "1. [ ] a\n")
    #expect(run.status == .exited(1))
  }

  @Test func `nothing to undo is one error`() async throws {
    try await program.talk("undo").expect(
      error: "there is nothing to undo; a change makes something")
  }

  @Test func `one wrong number of several prevents them all`() async throws {
    try await program.add("a", "b")
    let run = try await program.talk("delete 1 2 3", "list")
    run.expect(
      error: "there is no row 3; the list has rows 1 to 2", output: "1. [ ] a\n2. [ ] b\n")
  }
}
