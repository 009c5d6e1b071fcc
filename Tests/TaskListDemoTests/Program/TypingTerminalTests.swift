import ReactorREPLTesting
import Testing
import TestLimits

/// What happens while a line is typed.
@Suite(.bounded) struct TypingTerminalTests {
  @Test func `Tab completes commands, titles and sections`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob", "Read --section Home")
    await session.terminal.send("don\tca\t")
    try await session.terminal.expect("a title") {
      $0.conversation.last == #"> done "Call Bob" "#
    }
    await session.terminal.send("\r")
    try await session.terminal.expect("the answer") {
      $0.shown.last == "marked \"Call Bob\" as done"
    }
    await session.terminal.send("sec\tho\t\r")
    try await session.expect("> ", pane: "Home", "1. [ ] Read")
  }

  @Test func `a paste changes nothing until Enter`() async throws {
    let session = try await TaskSession("a", "b", "c")
    await session.terminal.send("add ")
    await session.terminal.paste("buy milk\ndelete 1-3\n")
    try await session.terminal.expect("the paste") {
      $0.conversation.contains("> add buy milk") && $0.conversation.last == "delete 1-3"
    }
    try await session.program.perform("list").expect("@1 [ ] a\n@2 [ ] b\n@3 [ ] c\n")
    await session.terminal.send("\r")
    try await session.expect("> ", pane: "Tasks", "1. [ ] buy milk", "deleted 3 tasks")
  }

  @Test func `Tab completes tasks of all the list, on the screen or not`() async throws {
    let titles = (1...69).map { "task \($0)" } + ["Call Bob", "outside"]
    let session = try await TaskSession(titles + (72...90).map { "task \($0)" })
    for (typed, line) in [
      ("rename 70 ", "rename 70 Call Bob "), ("done outs", "done outside "),
      ("done \"call", "done \"Call Bob\" "), ("rename @71 ", "rename @71 outside "),
      // What is on the screen is not all that begins so.
      ("delete \"task 8", "delete \"task 8"),
    ] {
      await session.terminal.send("\(typed)\t")
      try await session.terminal.expect(line) { $0.conversation.last == "> \(line)" }
      await session.terminal.send("\u{15}")
    }
  }

  @Test func `search shows matches as it is typed, Ctrl-C shows all again`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob")
    await session.terminal.send("search mi")
    try await session.expect("> search mi", pane: "Tasks · search “mi”", "1. [ ] Buy milk")
    await session.terminal.send("\u{15}search bo")
    try await session.expect("> search bo", pane: "Tasks · search “bo”", "1. [ ] Call Bob")
    await session.terminal.send("\u{3}")
    try await session.expect("> ", pane: "Tasks", "1. [ ] Buy milk", "2. [ ] Call Bob")
  }

  @Test func `a search that is entered stays, and Ctrl-C returns to it`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob")
    await session.enter("search mi")
    try await session.expect("> ", pane: "Tasks · search “mi”", "1. [ ] Buy milk")
    await session.terminal.send("search bo")
    try await session.expect("> search bo", pane: "Tasks · search “bo”", "1. [ ] Call Bob")
    await session.terminal.send("\u{3}")
    try await session.expect("> ", pane: "Tasks · search “mi”", "1. [ ] Buy milk")
    await session.enter("search")
    try await session.expect("> ", pane: "Tasks", "1. [ ] Buy milk", "2. [ ] Call Bob")
  }

  @Test func `a number typed below a search counts the rows on the screen`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob")
    await session.enter("search bo")
    try await session.expect("> ", pane: "Tasks · search “bo”", "1. [ ] Call Bob")
    await session.enter("1")
    try await session.expect(
      "> ", pane: "Tasks · search “bo”", "1. [x] Call Bob", "marked \"Call Bob\" as done")
    await session.enter("search")
    try await session.expect("> ", pane: "Tasks", "1. [ ] Buy milk", "2. [x] Call Bob")
  }

  @Test func `another program's change is shown below a half-typed line`() async throws {
    let session = try await TaskSession("a")
    await session.terminal.send("half\u{2}\u{2}")
    try await session.expect("> half", pane: "Tasks", "1. [ ] a")
    try await session.program.perform("add", "from elsewhere").expect("")
    try await session.expect("> half", pane: "Tasks", "1. [ ] a", "2. [ ] from elsewhere")
    try await session.terminal.expect("the cursor where it was") { $0.cursor.column == 4 }
  }

  @Test func `another window's change is shown in every screen`() async throws {
    let first = try await TaskSession("a")
    let second = try await TaskSession(first.program)
    await first.enter("edit 1")
    try await first.expect("edit > ", pane: "Edit task", "title: a", "memo:  none", "title")
    await second.enter("rename 1 b")
    try await first.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
    await first.enter("stats")
    await second.enter("1")
    try await first.terminal.expect("the count") { $0.shown.last?.hasSuffix("1 of 1 done") == true }
    await first.enter("back")
    await second.enter("delete 1")
    try await first.terminal.expect("this task has been deleted meanwhile; 'save' adds it anew")
    await first.enter("save")
    try await second.expect("> ", pane: "Tasks", "1. [ ] b", "deleted \"b\"")
  }

  @Test func `only rows that changed are drawn again`() async throws {
    let session = try await TaskSession("first", "second", "third")
    let before = session.terminal.transcript
    await session.enter("2")
    try await session.expect(
      "> ", pane: "Tasks", "1. [ ] first", "2. [x] second", "3. [ ] third",
      "marked \"second\" as done")
    let written = session.terminal.transcript.dropFirst(before.count)
    #expect(written.contains("second"))
    #expect(!written.contains("first") && !written.contains("third"))
  }

  @Test func `a spinner turns while another program holds the database`() async throws {
    let program = try TaskProgram()
    try await program.add("a")
    // However long it takes until the test has looked three times.
    let session = try await TaskSession(program, environment: ["TASKS_PATIENCE": "3600000"])
    let lock = try DatabaseLock(program)
    await session.terminal.send("add b\rhalf\u{2}\u{2}")
    for frame in "⠋⠙⠹" {
      try await session.terminal.expect("a turn") { screen in
        screen.conversation.last == "> half" && screen.cursor.column == 4
          && screen.shown.last == "\(frame) working"
      }
    }
    try lock.release()
    try await session.expect("> half", pane: "Tasks", "1. [ ] a", "2. [ ] b", "added \"b\"")
  }

  @Test func `an import's progress does not disturb a half-typed line`() async throws {
    let session = try await TaskSession("a")
    try session.program.directory.write(TaskProgram.manyTasks(10_000), to: "many.json")
    await session.terminal.send("import \(session.program.path("many.json"))\rhalf\u{2}\u{2}")
    // It may be over before the test looks.
    try await session.terminal.expect("progress, or the end") { screen in
      screen.shown.last.map { $0.hasPrefix("importing [") || $0.hasPrefix("added") } == true
    }
    await session.terminal.send("-")
    try await session.terminal.expect("the end") { screen in
      screen.conversation.last == "> ha-lf" && screen.cursor.column == 5
        && screen.shown.last?.hasPrefix("added 10000 tasks") == true
    }
    #expect(session.terminal.screen.conversation.filter { $0.contains("ha") } == ["> ha-lf"])
  }
}
