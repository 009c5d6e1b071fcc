import ReactorREPLTesting
import Testing
import TestLimits

@Suite(.bounded) struct ConsoleTerminalTests {
  @Test func `the prompt and the rows follow the state`() async throws {
    let session = try await ConsoleSession()
    try await session.expect("0 > ", rows: "Shelf")
    await session.enter("put a cup")
    try await session.expect("1 > ", rows: "Shelf", "a cup", "put a cup")
    await session.enter("empty")
    try await session.expect("0 > ", rows: "Shelf")
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `the prompt changes while a line is typed, which stays`() async throws {
    let session = try await ConsoleSession()
    await session.enter("hold")
    try await session.expect("0 held > ", rows: "Shelf")
    await session.terminal.send("put half")
    try await session.expect("0 held > put half", rows: "Shelf")
    await session.terminal.command("go on")
    try await session.expect("0 > put half", rows: "Shelf")
    await session.terminal.send(" a cup\r")
    try await session.expect("1 > ", rows: "Shelf", "half a cup", "put half a cup")
  }

  @Test func `the prompt, the rows and notices follow a restarted reactor`() async throws {
    let session = try await ConsoleSession()
    await session.enter("put a cup")
    try await session.expect("1 > ", rows: "Shelf", "a cup", "put a cup")
    await session.enter("begin")
    try await session.expect("1 > ", rows: "Shelf", "a cup")
    await session.enter("put a plate")
    try await session.expect("2 > ", rows: "Shelf", "a cup", "a plate", "put a plate")
    await session.enter("refuse")
    try await session.terminal.expect("error: the shelf refuses; try 'put'")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `an answer is shown in the last row`() async throws {
    let session = try await ConsoleSession()
    await session.enter("count")
    try await session.expect("0 > ", rows: "Shelf", "there are 0")
  }

  @Test func `a refusal is shown above the prompt`() async throws {
    let session = try await ConsoleSession()
    await session.enter("refuse")
    try await session.terminal.expect("error: the shelf refuses; try 'put'")
    await session.enter("prut x")
    try await session.terminal.expect(
      "error: unknown command 'prut'; did you mean 'put'? ('help' lists all)")
    try await session.expect("0 > ", rows: "Shelf")
  }

  @Test func `a warning is shown above the prompt`() async throws {
    let session = try await ConsoleSession()
    await session.enter("warn")
    try await session.terminal.expect("warning: the shelf is nearly full")
    try await session.expect("0 > ", rows: "Shelf")
  }

  @Test func `an effect that fails is shown above the prompt, and the line remains`() async throws {
    let session = try await ConsoleSession()
    await session.enter("drop")
    try await session.terminal.expect("error: the work failed: it is in pieces")
    await session.terminal.send("put half")
    try await session.expect("0 > put half", rows: "Shelf")
  }

  @Test func `an action that is declined is printed, though the screen goes on`() async throws {
    let session = try await ConsoleSession()
    await session.enter("decline")
    try await session.terminal.expect("error: the shelf is full; try 'empty'")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `help lists the commands, its own and those of every console`() async throws {
    let session = try await ConsoleSession("bare", rows: 30)
    await session.enter("help")
    try await session.terminal.expect("the list, and a prompt") { screen in
      screen.conversation.last == "0 > "
        && screen.conversation.contains("put THING       put a thing")
        && screen.conversation.contains("quit, exit, q   leave (so does Ctrl-D)")
    }
    await session.enter("help put")
    try await session.terminal.expect("  For example: put a cup")
  }

  @Test func `help that does not fit above the prompt is shown over the rows`() async throws {
    let session = try await ConsoleSession(rows: 12)
    await session.enter("help")
    try await session.terminal.expect("a page of help") { screen in
      screen.pane.first?.hasPrefix("put THING") == true
        && screen.pane.contains { $0.contains("Enter: more") }
    }
    await session.enter("put a cup")
    try await session.expect("1 > ", rows: "Shelf", "a cup", "put a cup")
  }

  @Test func `Tab completes commands, those of every console too`() async throws {
    let session = try await ConsoleSession()
    await session.terminal.send("pu\t")
    try await session.expect("0 > put ", rows: "Shelf")
    await session.terminal.send("\u{15}help re\t")
    try await session.expect("0 > help refuse ", rows: "Shelf")
    await session.terminal.send("\u{15}qu\t")
    try await session.expect("0 > quit ", rows: "Shelf")
  }

  @Test func `lines are remembered by the next run`() async throws {
    let directory = try ScratchDirectory()
    let first = try await ConsoleSession(directory: directory)
    await first.enter("put a cup")
    try await first.expect("1 > ", rows: "Shelf", "a cup", "put a cup")
    await first.enter("quit")
    #expect(try await first.terminal.waitForExit() == .exited(0))
    let second = try await ConsoleSession(directory: directory)
    // Ctrl-P twice: quit, then what was put.
    await second.terminal.send("\u{10}\u{10}")
    try await second.expect("0 > put a cup", rows: "Shelf")
  }

  @Test func `identical reports are one line, and later a line with their count`() async throws {
    let session = try await ConsoleSession()
    await session.enter("flood")
    try await session.terminal.expect("error: 2 more like this: the command was refused")
    let errors = session.terminal.screen.history.filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 2)
  }

  @Test func `a screen opens on top of another, which is shown again when it is left`()
    async throws
  {
    let session = try await ConsoleSession()
    await session.enter("open")
    try await session.expect("box > ", rows: "Box")
    await session.enter("empty")
    try await session.terminal.expect("error: unknown command 'empty'; 'help' lists all")
    await session.enter("shut")
    try await session.expect("0 > ", rows: "Shelf")
  }

  @Test func `a message of the console is a JSON object where that is requested`() async throws {
    let session = try await ConsoleSession("json", columns: 120, environment: ["TERM": "dumb"])
    try await session.terminal.expect(
      #"{"message":"this terminal cannot show the shelf beside what is typed: 'show' prints them"}"#
    )
    await session.enter("show")
    try await session.terminal.expect(lastLines: "0 > show", "{\"rows\":[\"Shelf\"]}", "0 > ")
  }

  @Test func `without rows a result is a line above the prompt`() async throws {
    let session = try await ConsoleSession("bare")
    await session.enter("put a cup")
    try await session.terminal.expect(lastLines: "0 > put a cup", "put a cup", "1 > ")
  }
}

@Suite(.bounded) struct ConsoleKeyTests {
  @Test func `Ctrl-C drops the line, Ctrl-D quits and restores the terminal`() async throws {
    let session = try await ConsoleSession()
    await session.terminal.send("put half")
    try await session.expect("0 > put half", rows: "Shelf")
    await session.terminal.send("\u{3}")
    try await session.expect("0 > ", rows: "Shelf")
    #expect(session.terminal.screen.conversation.contains("0 > put half^C"))
    await session.terminal.send("\u{4}")
    #expect(try await session.terminal.waitForExit() == .exited(0))
    #expect(session.terminal.finalSettings == session.terminal.initialSettings)
  }

  @Test(arguments: ["pause", "wait"])
  func `Ctrl-C cancels the command that is being executed`(command: String) async throws {
    let session = try await ConsoleSession()
    await session.enter(command)
    try await session.terminal.expect("the command's beginning") { $0.pane.contains("a pillow") }
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("warning: cancelled '\(command)'")
    await session.terminal.send("put half")
    try await session.terminal.expect("a prompt") { $0.conversation.last == "1 > put half" }
    let warnings = session.terminal.screen.history.filter { $0.contains("warning: ") }
    #expect(warnings.count == 1)
    await session.terminal.send("\u{15}quit\r")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `Ctrl-C cancels the newest action, or drops the line if there is one`() async throws {
    let session = try await ConsoleSession()
    await session.enter("sleep")
    try await session.expect("1 > ", rows: "Shelf", "a pillow", "put a pillow")
    await session.terminal.send("put half")
    try await session.expect("1 > put half", rows: "Shelf", "a pillow", "put a pillow")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("a new prompt") { $0.conversation.last == "1 > " }
    #expect(!session.terminal.screen.history.contains { $0.contains("cancelled") })
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("warning: cancelled 'sleep'")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test(arguments: ["", "bare"])
  func `Ctrl-C without a command names how to leave`(arguments: String) async throws {
    let session = try await ConsoleSession(arguments)
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("no command to cancel; 'help' lists all, 'quit' leaves")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `Ctrl-C while the sample counts down names how to leave`() async throws {
    let directory = try ScratchDirectory()
    let terminal = try TerminalSession(
      "EggTimer", environment: ["XDG_STATE_HOME": directory.path])
    try await terminal.expect(lastLines: "> ")
    await terminal.send("start 3600\r")
    try await terminal.expect("the countdown") { $0.lines.last?.contains(" s > ") == true }
    await terminal.send("\u{3}")
    try await terminal.expect("no command to cancel; 'help' lists all, 'quit' leaves")
    await terminal.send("stop\rquit\r")
    #expect(try await terminal.waitForExit() == .exited(0))
  }

  @Test func `a second Ctrl-C cancels an earlier action while the first still ends`() async throws {
    let session = try await ConsoleSession("crate")
    await session.enter("doze")
    try await session.expect("1 > ", rows: "1 cups")
    await session.enter("stay")
    try await session.terminal.expect("the beginning of stay") { $0.pane.contains("2 cups") }
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("warning: cancelled 'stay'")
    try await session.terminal.expect("a prompt") { $0.conversation.last == "2 > " }
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("another warning") { screen in
      screen.history.count { $0.contains("warning: ") } == 2
    }
    #expect(session.terminal.screen.history.contains { $0.contains("warning: cancelled 'doze'") })
    await session.terminal.command("go on")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `quit waits for pending work with a message, a second one does not wait`() async throws
  {
    let session = try await ConsoleSession()
    await session.enter("hold")
    try await session.expect("0 held > ", rows: "Shelf")
    await session.enter("quit")
    try await session.terminal.expect("waiting for what was begun; quit again to leave at once")
    await session.enter("put a cup")
    try await session.terminal.expect("error: it ends, and does no more; quit to leave at once")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `a second quit does not wait for an action that a hook holds`() async throws {
    let session = try await ConsoleSession("chest")
    await session.enter("lock")
    await session.enter("quit")
    try await session.terminal.expect("waiting for what was begun; quit again to leave at once")
    await session.enter("quit")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `an action declined while quit waits is printed before the program ends`() async throws
  {
    let session = try await ConsoleSession()
    await session.enter("overfill")
    await session.enter("quit")
    try await session.terminal.expect("waiting for what was begun; quit again to leave at once")
    await session.terminal.command("go on")
    #expect(try await session.terminal.waitForExit() == .exited(0))
    let lines = session.terminal.screen.history
    #expect(lines.contains { $0.contains("error: the shelf is full; try 'empty'") })
  }

  @Test func `quit ends when pending work is done`() async throws {
    let session = try await ConsoleSession()
    await session.enter("hold")
    try await session.expect("0 held > ", rows: "Shelf")
    await session.enter("quit")
    try await session.terminal.expect("waiting for what was begun; quit again to leave at once")
    await session.terminal.command("go on")
    #expect(try await session.terminal.waitForExit() == .exited(0))
  }

  @Test func `Ctrl-Z suspends the program, fg shows the current state`() async throws {
    let directory = try ScratchDirectory()
    let shell = try TerminalSession(
      "/bin/sh", arguments: ["-i"],
      environment: ["PS1": "shell: ", "XDG_STATE_HOME": directory.path])
    try await shell.expect("shell: ")
    await shell.send("'\(BuiltProduct.path("ConsoleFixture"))'\r")
    try await shell.expect("the rows") { $0.pane.contains("Shelf") }
    await shell.send("put half")
    try await shell.expect("the line") { $0.conversation.last == "0 > put half" }
    await shell.send("\u{1A}")
    try await shell.expect("the shell's prompt") { $0.lines.last == "shell: " && $0.pane == [] }
    await shell.send("fg\r")
    try await shell.expect("the line and the rows") {
      $0.conversation.last == "0 > put half" && $0.pane.contains("Shelf")
    }
  }

  @Test func `a resized window has as many rows as fit`() async throws {
    let session = try await ConsoleSession(rows: 24)
    for thing in 1...9 {
      await session.enter("put thing \(thing)")
      try await session.terminal.expect("thing \(thing)") { $0.conversation.last == "\(thing) > " }
    }
    await session.terminal.send("put half")
    session.terminal.resize(columns: 40, rows: 10)
    try await session.expect(
      "9 > put half", rows: "Shelf", "thing 1", "thing 2", "thing 3", "thing 4", "put thing 9")
    session.terminal.resize(columns: 80, rows: 30)
    try await session.terminal.expect("all of them") {
      $0.conversation.last == "9 > put half" && $0.pane.contains("thing 9")
    }
  }

  @Test func `where nothing can be painted a command prints the rows`() async throws {
    let session = try await ConsoleSession(environment: ["TERM": "dumb"])
    try await session.terminal.expect(
      "this terminal cannot show the shelf beside what is typed: 'show' prints them")
    await session.enter("put a cup")
    try await session.terminal.expect(lastLines: "0 > put a cup", "put a cup", "1 > ")
    await session.enter("show")
    try await session.terminal.expect(lastLines: "1 > show", "Shelf", "a cup", "1 > ")
    #expect(!session.terminal.transcript.contains("\u{1B}"))
  }
}
