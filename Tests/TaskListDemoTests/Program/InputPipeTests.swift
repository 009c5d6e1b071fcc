import ReactorREPLTesting
import Testing
import TestLimits

/// What lines may look like.
@Suite(.bounded) struct InputPipeTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `CRLF ends a line`() async throws {
    try await program.talk(bytes: Array("add a\r\n\r\ndone 1\r\nlist\r\n".utf8)).expect(
      "1. [x] a\n")
  }

  @Test func `a last line needs no line feed`() async throws {
    try await program.talk(bytes: Array("add a\nlist".utf8)).expect("1. [ ] a\n")
  }

  @Test func `empty input does nothing`() async throws {
    try await program.talk(bytes: []).expect("")
  }

  @Test(arguments: [
    (#"add "two  blanks""#, "two  blanks"), (#"add it\'s"#, "it's"),
    (#"add 'a "b" \c'"#, #"a "b" \c"#), (#"add "a \"b\" \\ $x \n""#, #"a "b" \ $x \n"#),
    (#"add Buy   milk"#, "Buy milk"), ("add a # b", "a # b"), ("add -- --memo", "--memo"),
    ("add *", "*"), (#"add "a"'b'\ c"#, "ab c"),
  ])
  func `quoting is that of a shell`(line: String, title: String) async throws {
    try await program.talk(line, "list").expect("1. [ ] \(title)\n")
  }

  @Test func `there are no escape codes, prompts or carriage returns`() async throws {
    let run = try await program.talk(
      "demo", "list", "stats", "back", "new x", "show", "save", "help")
    #expect(
      !(run.output + run.errorOutput).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
    #expect(!run.output.split(separator: "\n").contains { $0.hasPrefix(">") })
  }

  @Test func `two thousand lines are all executed`() async throws {
    let lines = (1...2_000).map { "\($0.isMultiple(of: 2) ? "undo" : "add \($0)")\n" }.joined()
    try await program.talk(bytes: Array((lines + "add end\nlist\n").utf8)).expect("1. [ ] end\n")
  }

  @Test func `a closed standard output ends it as a shell expects, without a message`() async throws
  {
    try await program.add("a")
    let run = try await program.talk(bytes: Array("list\nadd b\n".utf8), reader: .closed)
    #expect(run.status == .signalled(13))
    #expect(run.errorOutput == "")
    #expect(try await program.list() == "1. [ ] a\n")
  }

  @Test(arguments: ["list", "--json list", "stats", "help", "--json add b"])
  func `an answer that cannot be written is a failure`(command: String) async throws {
    try await program.add("a")
    let text = "cannot write the output; see whether the disk is full"
    let complaint =
      command.hasPrefix("--json") ? "{\"error\":\"\(text)\"}\n" : "error: \(text)\n"
    for script in [
      #""$tasks" --database "$database" \#(command) > /dev/full"#,
      #"echo \#(command.replacing("--json ", with: "")) | "#
        + #""$tasks" \#(command.hasPrefix("--") ? "--json" : "") --database "$database" > "#
        + #"/dev/full"#,
    ] {
      let run = try await program.shell(script)
      #expect(run.errorOutput == complaint)
      #expect(run.status == .exited(1))
    }
  }

  @Test func `closed standard descriptors are harmless`() async throws {
    try await program.add("a")
    let run = try await program.shell(
      #""$tasks" --database "$database" foo 2>&-; echo $?; "#
        + #""$tasks" --database "$database" list >&-; echo $?; "#
        + #""$tasks" --database "$database" <&-; echo $?; "$tasks" --database "$database" list"#)
    #expect(run.output == "1\n1\n1\n@1 [ ] a\n")
  }
}

/// The editor without a terminal.
@Suite(.bounded) struct EditorPipeTests {
  private let program: TaskProgram

  init() throws { program = try TaskProgram() }

  @Test func `edit, title, memo and save change a task`() async throws {
    let run = try await program.talk(
      "add a", "edit 1", "title b", "memo more", "save", "list", "search more")
    run.expect("1. [ ] b\n1. [ ] b\n")
  }

  @Test func `new adds a task to the section on show`() async throws {
    let run = try await program.talk(
      "add a --section Home", "section Home", "new", "title b", "save", "list")
    run.expect("1. [ ] a\n2. [ ] b\n")
  }

  @Test func `cancel with changes asks; leave loses them, stay does not`() async throws {
    let run = try await program.talk(
      "add a", "edit a", "title b", "cancel", "stay", "back", "leave", "list")
    run.expect("1. [ ] a\n")
  }

  @Test func `a blank title is not saved`() async throws {
    let run = try await program.talk("new", "save", "cancel", "list")
    run.expect(error: "a task needs a title; 'title TEXT' gives it one")
  }

  @Test func `a command of the list is refused with the way back to it`() async throws {
    let run = try await program.talk("new", "done 1", "cancel")
    run.expect(error: "'done' is no command here; 'save' or 'cancel' leads back to the list")
  }

  @Test func `the end of the input without unsaved changes is the end`() async throws {
    try await program.talk("new", "title a", "save", "edit 1").expect("")
  }

  @Test(arguments: ["", "quit"])
  func `leaving the program with unsaved changes is reported`(ending: String) async throws {
    let run = try await program.talk("new", "title a", ending)
    run.expect(error: "the changes of \"a\" were not saved; 'save' saves them")
    #expect(try await program.list() == "")
  }
}
