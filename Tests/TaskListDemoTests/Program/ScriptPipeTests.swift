import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

/// With `--json`, one value a line.
@Suite(.bounded) struct ScriptPipeTests {
  private struct Answer: Decodable {
    struct List: Decodable {
      var tasks: [Task]
      var total: Int
    }
    struct Task: Decodable, Equatable {
      var row: Int?
      var title: String
      var done: Bool
      var section: String
    }
    struct Section: Decodable, Equatable {
      var name: String
      var open: Int
      var done: Int
    }
    struct Outcome: Decodable {
      var summary: String
      var tasks: [Task]
    }
    var list: List?
    var sections: [Section]?
    var outcome: Outcome?
    var error: String?
  }

  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  private func answers(_ text: String) throws -> [Answer] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
  }

  @Test func `each command is answered with one value on a line`() async throws {
    let run = try await program.talk(
      "add Buy milk", "add b --section Home", "done 2", "list", "stats", options: ["--json"]
    )
    let answers = try answers(run.output)
    #expect(run.output.split(separator: "\n").count == 5)
    #expect(answers[0].outcome?.summary == #"added "Buy milk""#)
    #expect(answers[2].outcome?.tasks == [.init(title: "b", done: true, section: "Home")])
    #expect(
      answers[3].list?.tasks == [
        .init(row: 1, title: "Buy milk", done: false, section: "Tasks"),
        .init(row: 2, title: "b", done: true, section: "Home"),
      ])
    #expect(answers[3].list?.total == 2)
    #expect(
      answers[4].sections == [
        .init(name: "Tasks", open: 1, done: 0), .init(name: "Home", open: 0, done: 1),
      ])
  }

  @Test func `an error is a value on standard error`() async throws {
    let run = try await program.talk("foo", "list", options: ["--json"])
    #expect(
      try answers(run.errorOutput).map(\.error) == ["unknown command 'foo'; 'help' lists all"])
    #expect(try answers(run.output).count == 1)
    #expect(run.status == .exited(1))
  }

  @Test func `a database that cannot be opened is a value, too`() async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", "/", "--json"], environment: program.environment,
      input: [])
    #expect(try answers(run.errorOutput).count == 1)
    #expect(run.status == .exited(1))
  }
}

/// Arguments instead of lines.
@Suite(.bounded) struct ArgumentTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `the arguments are one command`() async throws {
    try await program.perform("add", "Buy milk").expect("")
    try await program.perform("add", "Read", "--section", "Some day", "--memo", "two\nlines")
      .expect(
        "")
    try await program.perform("done", "buy m").expect("")
    try await program.perform("list").expect("# Tasks\n@1 [x] Buy milk\n# Some day\n@2 [ ] Read\n")
  }

  @Test func `nothing is read from standard input`() async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database, "list"],
      environment: program.environment, input: Array("add a\n".utf8))
    run.expect("")
  }

  @Test(arguments: [
    (["foo"], "unknown command 'foo'; 'help' lists all"),
    (
      ["done", "a"],
      "no task in the list begins with 'a'; 'list' shows them (a title of several words "
        + "goes in quotes)"
    ),
    (
      ["add", "  "],
      "a title cannot be blank; try 'add Buy milk --memo \"two litres\" --section Home'"
    ),
    (["edit", "@1"], "there is no task @1; 'list' shows the ids there are"),
    (["new"], "the editor needs lines to read; start without a command"),
    ([""], "unknown command ''; 'help' lists all"),
    (["add", "--help"], "'--help' is no option here; try 'help add'"),
  ])
  func `a bad command is one error`(arguments: [String], complaint: String) async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database] + arguments,
      environment: program.environment, input: [])
    run.expect(error: complaint)
  }

  @Test(arguments: [
    (["list", "--json"], "'--json' is an option of the program; put it before 'list'"),
    (
      ["add", "a", "--database=x"], "'--database' is an option of the program; put it before 'add'"
    ),
    (["--nonsense"], "unknown option '--nonsense'; '--help' lists the program's"),
  ])
  func `an option of the program in the wrong place is misuse`(
    arguments: [String], complaint: String
  ) async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database] + arguments,
      environment: program.environment, input: [])
    #expect(run.errorOutput == "error: \(complaint)\n")
    #expect(run.status == .exited(64))
  }

  @Test func `stats and help print their result`() async throws {
    try await program.perform("demo").expect("")
    #expect(try await program.perform("stats").output.contains("1 of 3 done"))
    #expect(try await program.perform("help", "move").output.hasPrefix("move N M\n"))
  }

  @Test func `a command that reads prints what it finds`() async throws {
    try await program.add("a", "b", "c --section Work")
    try await program.perform("done", "@1").expect("")
    try await program.perform("search", "b").expect("# Tasks\n@2 [ ] b\n")
    try await program.perform("filter", "done").expect("# Tasks\n@1 [x] a\n")
    try await program.perform("section", "work").expect("@3 [ ] c\n")
    try await program.perform("section", "Home").expect(
      error: "there is no section \"Home\"; there are: \"Tasks\", \"Work\"; "
        + "'add TITLE --section NAME' makes one")
  }

  @Test func `after -- an option of the program is a text`() async throws {
    try await program.perform("add", "--", "--json").expect("")
    try await program.perform("list").expect("@1 [ ] --json\n")
  }

  @Test func `--json writes help in one line`() async throws {
    let run = try await program.perform("help", "redo", options: ["--json"])
    run.expect(#"{"help":"redo\n  make the change again that was undone"}"# + "\n")
  }

  @Test func `--json answers with one line`() async throws {
    let run = try await program.perform("add", "a", options: ["--json"])
    #expect(run.output.hasPrefix(#"{"outcome":{"ids":["@1"],"summary":"added \"a\"","#))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func `--in-memory keeps nothing, and excludes --database`() async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--in-memory"], environment: program.environment,
      input: Array("add a\nundo\nredo\nlist\n".utf8))
    run.expect("1. [ ] a\n")
    let both = try await program.perform("list", options: ["--in-memory"])
    #expect(both.errorOutput.contains("contradict each other; leave one out"))
    #expect(both.status == .exited(64))
  }

  @Test func `without --database it is in the XDG data directory`() async throws {
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["add", "a"], environment: program.environment, input: [])
    run.expect("")
    #expect(program.directory.read("data/reactor-tasks/tasks.sqlite")?.isEmpty != true)
    let path = program.path("data/reactor-tasks/tasks.sqlite")
    let list = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", path, "list"], environment: program.environment,
      input: [])
    list.expect("@1 [ ] a\n")
  }

  @Test func `what follows -- is the command`() async throws {
    try await program.perform("--", "add", "a").expect("")
    try await program.perform("--", "list").expect("@1 [ ] a\n")
  }

  @Test func `--help lists the options`() async throws {
    let run = try await PipedRun.of("TaskListDemo", arguments: ["--help"], input: [])
    for option in ["--database", "--in-memory", "--json"] { #expect(run.output.contains(option)) }
    #expect(run.status == .exited(0))
  }
}
