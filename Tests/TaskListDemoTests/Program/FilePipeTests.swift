import ReactorREPLTesting
import Testing
import TestLimits

@Suite(.bounded) struct FilePipeTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `an exported list is imported as it was`() async throws {
    let file = program.path("tasks.json")
    try await program.talk("demo", "rename 1 \"Ménage \\\"à trois\\\"\"", "export \(file)").expect(
      "")
    let other = try TaskProgram()
    try await other.talk("import \(file)").expect("")
    #expect(try await other.list() == program.list())
    try await other.talk("export \(other.path("again.json"))").expect("")
    #expect(other.directory.read("again.json") == program.directory.read("tasks.json"))
  }

  @Test func `an import is one step of undo`() async throws {
    let file = program.path("tasks.json")
    try await program.talk("demo", "export \(file)", "import \(file)", "undo", "undo").expect("")
    #expect(try await program.list() == "")
  }

  private static let task = #"{"title": "good"}"#

  @Test(arguments: [
    ("", "this is not JSON"),
    ("[]", "the whole is not an object"),
    ("{}", "\"version\" is missing"),
    (#"{"version": 2, "sections": []}"#, "the version 2 of the format"),
    (#"{"version": 1}"#, "\"sections\" is missing"),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [\#(task), {"title": " "}]}]}"#,
      "task 2 in section \"A\": the title is blank"
    ),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [\#(task), {"title": 3}]}]}"#,
      "task 2 in section \"A\": \"title\" is not text"
    ),
    (
      #"{"version": 1, "sections": [{"name": "", "tasks": [\#(task)]}]}"#,
      "section 1: the name of the section is blank"
    ),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [\#(task), {"titel": "b"}]}]}"#,
      "task 2 in section \"A\": \"titel\" means nothing here"
    ),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [\#(task), \#(task)"#, "this is not JSON"
    ),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [{"title": "a", "created": "now"}]}]}"#,
      "task 1 in section \"A\": \"created\" is no time"
    ),
    (
      #"{"version": 1, "sections": [{"name": "A", "tasks": [{"title": "a\u001b[2J"}]}]}"#,
      "task 1 in section \"A\": the title has the control character"
    ),
  ])
  func `a malformed file adds nothing`(text: String, complaint: String) async throws {
    try program.directory.write(text, to: "bad.json")
    let run = try await program.talk("add a", "import \(program.path("bad.json"))", "list")
    #expect(run.errorOutput.hasPrefix("error: bad.json"))
    #expect(run.errorOutput.contains(complaint))
    #expect(run.errorOutput.contains("; ") || run.errorOutput.contains("version"))
    #expect(run.errorOutput.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
    #expect(run.output == "1. [ ] a\n")
    #expect(run.status == .exited(1))
  }

  @Test func `a file that is not UTF-8 adds nothing`() async throws {
    let run = try await program.shell(
      #"printf '{"version":1,"sections":[{"name":"\377","tasks":[]}]}' > "$directory/bad.json""#
        + "\n" + #""$tasks" --database "$database" import "$directory/bad.json""#)
    run.expect(error: "bad.json is not UTF-8 text; save it as such")
  }

  @Test func `a directory can be neither imported nor exported to`() async throws {
    let run = try await program.talk("import \(program.directory.path)", "export /")
    let lines = run.errorOutput.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains("is a directory; name a file") })
    #expect(run.status == .exited(1))
  }

  @Test func `the database is not overwritten by an export`() async throws {
    let run = try await program.talk("add a", "export \(program.database)", "list")
    run.expect(
      error: "\"\(program.database)\" is a database; name another file", output: "1. [ ] a\n")
  }

  // A program with the sanitizer in it does not survive a limit on the size of files.
  @Test(.disabled(if: Machine.isSanitized))
  func `an export that cannot be finished keeps the old file`() async throws {
    try program.directory.write(TaskProgram.manyTasks(3_000), to: "many.json")
    try await program.perform("import", program.path("many.json")).expect("")
    try program.directory.write("old", to: "tasks.json")
    let run = try await program.shell(
      #"trap "" XFSZ; ulimit -f 100; cd "$directory"; "$tasks" --database "$database" "#
        + #"export tasks.json"#
    )
    #expect(run.errorOutput.contains("see whether the disk is full"))
    #expect(run.status == .exited(1))
    #expect(program.directory.read("tasks.json") == "old")
    let names = try await program.shell(#"ls -A "$directory""#).output
    #expect(!names.contains(".tasks.json"))
  }
}

@Suite(.bounded) struct HistoryPipeTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `undo and redo work across runs of the program`() async throws {
    try await program.add("a", "b")
    try await program.talk("undo").expect("")
    #expect(try await program.list() == "1. [ ] a\n")
    try await program.talk("redo").expect("")
    try await program.talk("undo", "undo", "list").expect("")
  }

  @Test func `a hundred changes can be undone, and not one more`() async throws {
    let adds = (1...101).map { "add \($0)\n" }.joined()
    try await program.talk(bytes: Array(adds.utf8)).expect("")
    let undos = String(repeating: "undo\n", count: 100) + "list\nundo\n"
    try await program.talk(bytes: Array(undos.utf8)).expect(
      error: "there is nothing to undo; a change makes something", output: "1. [ ] 1\n")
    let redos = String(repeating: "redo\n", count: 100)
    try await program.talk(bytes: Array(redos.utf8)).expect("")
    #expect(try await program.contents().items.map(\.title) == (1...101).map(String.init))
  }

  @Test func `a command that changes nothing is no step`() async throws {
    try await program.talk("add a", "done 1", "done 1", "rename 1 a", "undo", "list").expect(
      "1. [ ] a\n")
  }

  @Test func `a new change discards what was undone`() async throws {
    try await program.talk("add a", "undo", "add b", "redo").expect(
      error: "there is nothing to redo; 'undo' makes something")
  }
}
