import ReactorREPLTesting
import Testing
import TestLimits

/// Screens on top of one another.
@Suite(.bounded) struct ScreenTerminalTests {
  @Test func `the list is below its prompt`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob")
    try await session.expect("> ", pane: "Tasks", "1. [ ] Buy milk", "2. [ ] Call Bob")
    #expect(session.terminal.screen.pane[0].hasSuffix("2 open · 0 done"))
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `a change is shown in its row, and in the last row`() async throws {
    let session = try await TaskSession("Buy milk", "Call Bob")
    await session.enter("done call")
    try await session.expect(
      "> ", pane: "Tasks", "1. [ ] Buy milk", "2. [x] Call Bob", "marked \"Call Bob\" as done")
    await session.enter("undo")
    try await session.expect(
      "> ", pane: "Tasks", "1. [ ] Buy milk", "2. [ ] Call Bob",
      "undone: marked \"Call Bob\" as done")
  }

  @Test func `edit opens the editor, save leads back to the changed list`() async throws {
    let session = try await TaskSession("a", "b")
    await session.enter("edit 2")
    try await session.expect(
      "edit > ", pane: "Edit task · Tasks", "title: b", "memo:  none", "title")
    await session.enter("title c")
    try await session.expect("edit > ", pane: "Edit task", "title: c", "memo:  none", "title")
    await session.enter("save")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a", "2. [ ] c", "renamed \"b\" to \"c\"")
  }

  @Test func `new opens an empty editor`() async throws {
    let session = try await TaskSession()
    await session.enter("new")
    try await session.expect("edit > ", pane: "New task", "title: none", "memo:  none", "title")
    // There is nothing yet that could be saved.
    #expect(!session.terminal.screen.shown[0].hasSuffix("saved"))
    await session.enter("title a")
    await session.enter("save")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a", "added \"a\"")
  }

  @Test func `leaving with changes asks, and each answer leads to the right screen`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    await session.enter("cancel")
    try await session.expect(
      "leave or stay? ", pane: "Edit task", "title: b", "memo:  none", "Really?")
    await session.enter("stay")
    try await session.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
    await session.enter("back")
    await session.enter("leave")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a")
  }

  @Test func `statistics open on top of the editor, and what was typed there is still there`()
    async throws
  {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    await session.enter("stats")
    try await session.expect("stats > ", pane: "Statistics", "Tasks")
    #expect(session.terminal.screen.shown[1].hasSuffix("0 of 1 done"))
    await session.enter("back")
    try await session.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
    await session.enter("save")
    try await session.expect("> ", pane: "Tasks", "1. [ ] b", "renamed")
  }

  @Test func `in editing mode a row's number opens the editor`() async throws {
    let session = try await TaskSession("a", "b")
    await session.enter("editing")
    try await session.terminal.expect("the mode") { $0.conversation.last == "editing > " }
    await session.enter("2")
    try await session.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
  }

  @Test func `an error is shown above the prompt, and changes nothing`() async throws {
    let session = try await TaskSession("a")
    await session.enter("done 2")
    try await session.terminal.expect("the complaint") {
      $0.conversation.suffix(2) == ["error: there is no row 2; the list has one, row 1", "> "]
    }
    try await session.expect("> ", pane: "Tasks", "1. [ ] a")
    #expect(try await session.quit() == .exited(0))
  }

  @Test func `help is shown above the prompt`() async throws {
    let session = try await TaskSession("a")
    await session.enter("help move")
    try await session.terminal.expect("For example: move 3 1")
    try await session.expect("> ", pane: "Tasks", "1. [ ] a")
  }

  @Test func `lines typed ahead go to the screens that they open`() async throws {
    let session = try await TaskSession("a")
    await session.terminal.send("edit 1\rtitle b\rsave\rnew\rtitle c\rstats\rback\rsave\r1\rhal")
    try await session.expect(
      "> hal", pane: "Tasks", "1. [x] b", "2. [ ] c", "marked \"b\" as done")
  }
}

/// What must not be lost by leaving.
@Suite(.bounded) struct LeavingTerminalTests {
  @Test func `quit and Ctrl-D restore the terminal as it was found`() async throws {
    for keys in ["quit\r", "\u{4}"] {
      let session = try await TaskSession("a")
      await session.terminal.send(keys)
      #expect(try await session.terminal.waitForExit() == .exited(0))
      #expect(session.terminal.finalSettings == session.terminal.initialSettings)
      #expect(session.terminal.screen.pane == [])
    }
  }

  @Test func `quit in the editor asks before changes are lost`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    await session.enter("quit")
    try await session.expect(
      "leave or stay? ", pane: "Edit task", "title: b", "memo:  none", "Really?")
    await session.enter("stay")
    await session.enter("save")
    try await session.expect("> ", pane: "Tasks", "1. [ ] b", "renamed")
  }

  @Test func `Ctrl-D in the editor asks before changes are lost`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    try await session.expect("edit > ", pane: "Edit task", "title: b", "memo:  none", "title")
    await session.terminal.send("\u{4}")
    try await session.expect(
      "leave or stay? ", pane: "Edit task", "title: b", "memo:  none", "Really?")
    await session.enter("save")
    try await session.expect("> ", pane: "Tasks", "1. [ ] b", "renamed")
  }

  @Test func `a second quit quits`() async throws {
    let session = try await TaskSession("a")
    await session.enter("edit 1")
    await session.enter("title b")
    await session.enter("quit")
    #expect(try await session.quit() == .exited(0))
    #expect(try await session.program.list() == "1. [ ] a\n")
  }

  @Test func `the last command is executed before the end`() async throws {
    let session = try await TaskSession("a")
    await session.terminal.send("add b\rdone 1\rquit\r")
    #expect(try await session.terminal.waitForExit() == .exited(0))
    #expect(try await session.program.list() == "1. [x] a\n2. [ ] b\n")
  }
}
