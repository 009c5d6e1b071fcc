import ReactorREPLTesting
import Testing
import TestLimits

@Suite(.bounded) struct CommandPipeTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  /// What is listed after these lines, which say nothing of themselves.
  private func expect(
    _ list: String, after lines: String..., location: SourceLocation = #_sourceLocation
  ) async throws {
    let input = (lines + ["list"]).map { "\($0)\n" }.joined()
    try await program.talk(bytes: Array(input.utf8)).expect(list, location)
  }

  @Test func `add and done print nothing, list prints each task in a line`() async throws {
    try await expect(
      "1. [ ] Buy milk\n2. [x] Call Bob\n", after: "add Buy milk", "add Call Bob", "done 2")
  }

  @Test func `an empty list prints nothing`() async throws {
    try await expect("", after: "")
  }

  @Test func `sections have headings if there is more than one`() async throws {
    try await expect(
      """
      # Tasks
      1. [ ] Buy milk
      # Some day
      2. [ ] Read
      3. [ ] Write

      """, after: "add Buy milk", #"add Read --section "Some day""#,
      #"add --section="some DAY" Write"#)
  }

  @Test func `open takes done back`() async throws {
    try await expect(
      "1. [ ] a\n2. [x] b\n3. [ ] c\n", after: "add a", "add b", "add c", "done 1-3", "open 1 c")
  }

  @Test func `a row's number alone toggles its task`() async throws {
    try await expect("1. [ ] a\n2. [x] b\n", after: "add a", "add b", "1", "2", "1")
  }

  @Test func `rename changes a title`() async throws {
    try await expect("1. [ ] Buy oat milk\n", after: "add Buy milk", "rename 1 Buy oat milk")
  }

  @Test func `delete closes the gap`() async throws {
    try await expect("1. [ ] b\n", after: "add a", "add b", "add c", "delete 1 3")
  }

  @Test func `move takes a task to the place of another`() async throws {
    try await expect("1. [ ] c\n2. [ ] a\n3. [ ] b\n", after: "add a", "add b", "add c", "move 3 1")
  }

  @Test func `the beginning of a title can replace its number`() async throws {
    try await expect(
      "1. [ ] Call Bob\n2. [x] Buy milk\n", after: "add Buy milk", "add Call Bob", "move buy Call",
      #"done "BUY M""#)
  }

  @Test(arguments: [
    ("open", "1. [ ] a\n"), ("done", "1. [x] b\n"), ("all", "1. [ ] a\n2. [x] b\n"),
  ])
  func `filter shows some of the tasks`(filter: String, list: String) async throws {
    try await expect(list, after: "add a", "add b", "done 2", "filter \(filter)")
  }

  @Test func `search shows what has the words, until it is ended`() async throws {
    let run = try await program.talk(
      #"add Buy milk --memo "two litres""#, "add Call Bob", "search lit", "list", "search", "list")
    run.expect("1. [ ] Buy milk\n1. [ ] Buy milk\n1. [ ] Buy milk\n2. [ ] Call Bob\n")
  }

  @Test func `section shows one section, and adds to it`() async throws {
    let run = try await program.talk(
      "add a", "add b --section Home", "section home", "add c", "list", "section", "list")
    run.expect("1. [ ] b\n2. [ ] c\n# Tasks\n1. [ ] a\n# Home\n2. [ ] b\n3. [ ] c\n")
  }

  @Test func `clear done deletes what is done`() async throws {
    try await expect("1. [ ] b\n", after: "add a", "add b", "done a", "clear done")
  }

  @Test func `undo and redo walk through the changes`() async throws {
    let run = try await program.talk(
      "add a", "done 1", "rename 1 b", "undo", "list", "undo", "list", "redo", "redo", "list")
    run.expect("1. [x] a\n1. [ ] a\n1. [x] b\n")
  }

  @Test func `list N begins at a row`() async throws {
    let run = try await program.talk("add a", "add b", "add c", "list 2", "list 9")
    run.expect("2. [ ] b\n3. [ ] c\n")
  }

  @Test func `stats prints a line for each section`() async throws {
    let run = try await program.talk("demo", "stats", "list")
    #expect(run.output.hasPrefix("Statistics"))
    #expect(run.output.contains("1 of 3 done"))
    #expect(run.output.hasSuffix("# Some day\n7. [ ] Read a chapter\n"))
    #expect(run.status == .exited(0))
  }

  @Test func `demo adds a sample`() async throws {
    let run = try await program.talk("demo", "undo", "list")
    run.expect("")
  }

  @Test func `refresh prints nothing`() async throws {
    try await program.talk("refresh").expect("")
  }

  @Test func `help prints every command, help NAME one`() async throws {
    let all = try await program.talk("help").output
    let names = """
      add list done open edit new rename memo delete move filter search section clear undo redo \
      refresh stats export import help quit
      """
    for name in names.split(separator: " ") {
      #expect(all.split(separator: "\n").contains { $0.prefix { $0 != " " && $0 != "," } == name })
    }
    #expect(try await program.talk("help move").output.hasPrefix("move N M\n"))
  }

  @Test func `what follows quit is not read`() async throws {
    try await program.talk("add a", "quit", "foo", "add b").expect("")
    #expect(try await program.list() == "1. [ ] a\n")
  }
}
