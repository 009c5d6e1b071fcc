import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

/// Small things that people try.
@Suite(.bounded) struct EverydayTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  // MARK: Names of commands

  @Test func `ls, rm and q do what they do elsewhere`() async throws {
    try await program.talk("add a", "add b", "rm 1", "ls", "q", "foo").expect("1. [ ] b\n")
    try await program.talk("exit", "foo").expect("")
    try await program.perform("rm", "@2").expect("")
    try await program.perform("ls").expect("")
  }

  @Test func `the question whether to leave takes yes and no`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    await session.enter("cancel")
    try await session.terminal.expect("the question") { $0.conversation.last == "leave or stay? " }
    await session.enter("n")
    try await session.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
    await session.enter("cancel")
    await session.enter("y")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a")
  }

  @Test(arguments: ["?", ":q"])
  func `common words for help and for leaving work here`(word: String) async throws {
    let run = try await program.talk(word, "foo")
    #expect(run.output.contains("add TITLE") == (word == "?"))
    #expect(run.errorOutput.contains("unknown command 'foo'") == (word == "?"))
    #expect(!run.errorOutput.contains("'\(word)'"))
  }

  @Test(arguments: [
    ("1,2", "several rows are typed '1 2', or '1-2'"),
    ("1,3-4,7", "several rows are typed '1 3-4 7', or '1-7'"),
    ("1,987", "that row is typed '1987'"),
    ("@1-40000", "ids have no ranges: type each of them, or rows, as '1-2'"),
    ("@1-@4", "ids have no ranges: type each of them, or rows, as '1-2'"),
  ])
  func `numbers that name no task are refused with the way to type them`(name: String, way: String)
    async throws
  {
    try await program.talk("add a", "add b", "done \(name)").expect(
      error: "no task in the list begins with '\(name)'; \(way)")
    try await program.talk("add \(name) it is", "done \(name)").expect("")
  }

  // MARK: Pipes

  @Test func `in a pipe a search prints what it finds, its end does not`() async throws {
    try await program.talk("add a", "add b", "search b", "search", "filter open").expect(
      "1. [ ] b\n")
  }

  @Test func `in a pipe stats prints, and opens no screen`() async throws {
    let run = try await program.talk("add a", "stats", "list", "new", "stats", "save", "cancel")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count { $0.hasSuffix("0 of 1 done") } == 2)
    #expect(lines.contains("1. [ ] a"))
  }

  // MARK: Terminals

  @Test func `a list that one command prints has colours and times`() async throws {
    try await program.talk("add a --memo more", "add b", "done 1").expect("")
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database, "list"],
      environment: program.environment)
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.lines[0].hasPrefix("@1 [x] a  more"))
    // A date if midnight has passed meanwhile.
    let time = /[0-9]{2}:[0-9]{2}$|[0-9] [A-Z][a-z]{2}( [0-9]{4})?$/
    #expect(terminal.screen.lines[0].contains(time))
    #expect(terminal.screen.style(of: "[x]") == [32])
    let plain = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database, "list"],
      environment: program.environment.merging(["NO_COLOR": "1"]) { _, given in given })
    #expect(try await plain.waitForExit() == .exited(0))
    #expect(!plain.transcript.contains("\u{1B}"))
  }

  @Test func `a long title that one command prints is not cut`() async throws {
    let title = String(repeating: "語", count: 60)
    try await program.add(title)
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database, "list"],
      environment: program.environment)
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(terminal.transcript.contains(title))
  }

  @Test func `a long error breaks between words`() async throws {
    let session = try await TaskSession(program, columns: 40)
    await session.enter("section Work")
    try await session.terminal.expect("the complaint") { screen in
      screen.conversation.suffix(4) == [
        "error: there is no section \"Work\"; there", "are none yet; 'add TITLE --section NAME'",
        "makes one", "> ",
      ]
    }
  }

  @Test func `in a wide window a time is near its title`() async throws {
    try await program.talk("add a", "done 1").expect("")
    let session = try await TaskSession(program, columns: 200)
    #expect(session.terminal.screen.shown.allSatisfy { $0.count <= 100 })
  }

  // MARK: The program's arguments

  @Test(arguments: [
    ["--bogus"], ["--database"], ["--json=x", "list"], ["--jsno", "list"], ["list", "--json"],
    ["--database", "a", "--in-memory", "list"], ["--database", "", "list"],
  ])
  func `options that make no sense have one exit status`(arguments: [String]) async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: arguments, environment: program.environment, input: [])
    #expect(run.status == .exited(64))
    #expect(run.output == "" && run.errorOutput != "")
    let json = try await PipedRun.of(
      "TaskListDemo", arguments: ["--json"] + arguments, environment: program.environment,
      input: [])
    #expect(json.status == .exited(64))
    #expect(json.errorOutput.hasPrefix("{\"error\":\""))
  }

  @Test(arguments: ["TaskListDemo", "CounterDemo"])
  func `--version prints the version`(product: String) async throws {
    let run = try await PipedRun.of(
      product, arguments: ["--version"], environment: program.environment, input: [])
    #expect(run.output.contains(/^[0-9]+\.[0-9]+\.[0-9]+/))
    #expect(run.status == .exited(0))
  }

  @Test(arguments: ["--version", "--help", "list"])
  func `an answer that cannot be written is a failure`(argument: String) async throws {
    try await program.add("a")
    let run = try await program.shell(
      #""$tasks" --database "$database" \#(argument) > /dev/full"#)
    #expect(run.errorOutput.contains("cannot write the output"))
    #expect(run.status == .exited(1))
  }

  @Test func `a shell completes the commands`() async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--generate-completion-script", "bash"],
      environment: program.environment, input: [])
    #expect(run.output.contains("rename"))
    #expect(run.status == .exited(0))
  }

  // MARK: Where things are

  @Test func `the home directory is the one that HOME names`() async throws {
    try program.directory.write(#"{"version": 1, "sections": []}"#, to: "tasks.json")
    try await program.talk("add a", "export ~/out.json").expect("")
    #expect(program.directory.read("out.json") != nil)
    try await program.talk("import '~/tasks.json'").expect("")
  }

  @Test(arguments: ["", "relative"])
  func `a HOME that is no directory is not used`(home: String) async throws {
    var environment = program.environment
    environment["HOME"] = home
    environment["XDG_DATA_HOME"] = nil
    environment["directory"] = program.directory.path
    environment["tasks"] = BuiltProduct.path("TaskListDemo")
    // As a user whose home, by the system, is one where nothing can be created.
    let run = try await PipedRun.of(
      "/bin/sh",
      arguments: [
        "-c", #"cd "$directory"; chmod 777 .; \#(Machine.asNobody) "$tasks" add a; ls -d relative"#,
      ], environment: environment, input: [])
    #expect(!run.output.contains("relative"))
    #expect(!FileManager.default.fileExists(atPath: "/.local/share/reactor-tasks"))
  }

  // MARK: Databases that cannot be written

  @Test(
    .enabled { await Machine.canBeNobody },
    arguments: [("777", "444"), ("555", "444"), ("555", "666")])
  func `a database that cannot be written is read`(directory: String, file: String) async throws {
    try await program.talk("demo").expect("")
    let before = DatabaseFile(program)
    let run = try await program.shell(
      """
      chmod \(directory) "$directory"; chmod \(file) "$database"
      \(Machine.asNobody) "$tasks" --database "$database" search report
      \(Machine.asNobody) "$tasks" --database "$database" export - | grep -c title
      \(Machine.asNobody) "$tasks" --database "$database" done report
      status=$?; chmod 755 "$directory"; exit $status
      """)
    #expect(run.output == "# Work\n@4 [ ] Write the report\n7\n")
    #expect(run.errorOutput.split(separator: "\n").count == 1)
    #expect(run.status == .exited(1))
    #expect(DatabaseFile(program) == before)
  }
}
