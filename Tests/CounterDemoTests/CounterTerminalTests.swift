import ReactorREPLTesting
import Testing
import TestLimits

@Suite(.bounded) struct CounterTerminalTests {
  @Test func `the prompt shows the value`() async throws {
    let session = try await CounterSession()
    await session.enter("set 5")
    try await session.terminal.expect(lastLines: "value: 0 > set 5", "value: 5 > ")
  }

  @Test func `the prompt shows that a change is under way`() async throws {
    let session = try await CounterSession(.endless)
    await session.enter("+")
    try await session.terminal.expect(lastLines: "value: 0 > +", "value: 0 (loading) > ")
  }

  @Test func `Ctrl-C cancels a change, and the prompt shows that nothing is in progress`()
    async throws
  {
    let session = try await CounterSession(.endless)
    await session.enter("+")
    try await session.terminal.expect(lastLines: "value: 0 (loading) > ")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect("warning: cancelled '+'")
    try await session.terminal.expect(lastLines: "value: 0 > ")
  }

  @Test func `the prompt follows the state without a key`() async throws {
    let session = try await CounterSession(.some)
    await session.enter("+")
    try await session.terminal.expect(
      lastLines: "value: 0 > +", "alert: increased!", "value: 1 > ")
  }

  @Test func `a half-typed line stays as it is while the state changes`() async throws {
    let session = try await CounterSession(.some)
    await session.terminal.send("+\rset 42\u{2}")
    try await session.terminal.expect("the new prompt, the cursor on the 2") {
      $0.lines.last == "value: 1 > set 42" && $0.cursor.column == 16
    }
    await session.terminal.send("3\r")
    try await session.terminal.expect(lastLines: "value: 432 > ")
  }

  @Test func `three quick increases end at 3`() async throws {
    let session = try await CounterSession(.some)
    await session.terminal.send("+\r+\r+\r")
    try await session.terminal.expect(lastLines: "value: 3 > ")
    let alerts = session.terminal.screen.history.filter { $0 == "alert: increased!" }
    #expect(alerts.count == 3)
  }

  @Test func `a set during a change takes effect at once`() async throws {
    let session = try await CounterSession(.endless)
    await session.terminal.send("+\rset 9\r")
    try await session.terminal.expect(lastLines: "value: 9 (loading) > ")
  }

  @Test func `show prints the line above the prompt`() async throws {
    let session = try await CounterSession()
    await session.enter("show")
    try await session.terminal.expect(lastLines: "value: 0 > show", "value: 0", "value: 0 > ")
  }

  @Test func `help prints the commands above the prompt`() async throws {
    let session = try await CounterSession()
    await session.enter("help")
    try await session.terminal.expect(
      lastLines: "quit, exit, q    leave (so does Ctrl-D)", "value: 0 > ")
    #expect(session.terminal.screen.unknownSequences == [])
  }

  @Test func `an error is shown above the prompt`() async throws {
    let session = try await CounterSession()
    await session.enter("foo")
    try await session.terminal.expect(
      lastLines: "value: 0 > foo", "error: unknown command 'foo'; 'help' lists all",
      "value: 0 > ")
  }

  @Test func `a change that cannot be made is shown above the prompt`() async throws {
    let session = try await CounterSession()
    await session.enter("set \(Int.max)")
    try await session.terminal.expect(lastLines: "value: \(Int.max) > ")
    await session.enter("+")
    try await session.terminal.expect("error: \(Int.max) cannot change by 1")
    try await session.terminal.expect(lastLines: "value: \(Int.max) > ")
  }
}

@Suite(.bounded) struct CounterTypingTests {
  @Test func `Tab completes a command`() async throws {
    let session = try await CounterSession()
    await session.terminal.send("inc\t")
    try await session.terminal.expect(lastLines: "value: 0 > increase ")
    await session.terminal.send("5\r")
    try await session.terminal.expect(lastLines: "value: 5 > ")
  }

  @Test func `Tab offers nothing where a number belongs`() async throws {
    let session = try await CounterSession()
    await session.terminal.send("set s\tx")
    try await session.terminal.expect(lastLines: "value: 0 > set sx")
  }

  @Test func `Tab on an empty line lists the commands`() async throws {
    let session = try await CounterSession()
    await session.terminal.send("\t")
    try await session.terminal.expect("increase")
    try await session.terminal.expect(lastLines: "value: 0 > ")
  }

  @Test func `Up fetches the input of an earlier run`() async throws {
    let first = try await CounterSession()
    await first.enter("set 7")
    try await first.terminal.expect(lastLines: "value: 7 > ")
    #expect(try await first.quit() == .exited(0))
    let second = try await CounterSession(state: first.state)
    await second.terminal.send("\u{1B}[A\u{1B}[A")
    try await second.terminal.expect(lastLines: "value: 0 > set 7")
    await second.terminal.send("\r")
    try await second.terminal.expect(lastLines: "value: 7 > ")
  }

  @Test func `a state directory that cannot be used is no error`() async throws {
    let state = try ScratchDirectory()
    try state.write("a file where the directory belongs", to: "reactor-counter")
    let session = try await CounterSession(state: state)
    await session.enter("set 7")
    try await session.terminal.expect(lastLines: "value: 0 > set 7", "value: 7 > ")
    #expect(try await session.quit() == .exited(0))
  }

  @Test func `Ctrl-C drops the typed line`() async throws {
    let session = try await CounterSession()
    await session.terminal.send("set 9")
    try await session.terminal.expect(lastLines: "value: 0 > set 9")
    await session.terminal.send("\u{3}")
    try await session.terminal.expect(lastLines: "value: 0 > set 9^C", "value: 0 > ")
    await session.enter("show")
    try await session.terminal.expect(lastLines: "value: 0 > show", "value: 0", "value: 0 > ")
  }
}

@Suite(.bounded) struct CounterLeavingTests {
  @Test func `Ctrl-D ends the program`() async throws {
    let session = try await CounterSession()
    await session.terminal.send("\u{4}")
    #expect(try await session.terminal.waitForExit() == .exited(0))
    #expect(session.terminal.screen.cursor == .init(row: 1, column: 0))
  }

  @Test func `quit gives the terminal back as it was found`() async throws {
    let session = try await CounterSession()
    #expect(!session.terminal.settings.echoes)
    #expect(try await session.quit() == .exited(0))
    #expect(session.terminal.finalSettings == session.terminal.initialSettings)
  }

  @Test func `a change under way is waited for, until a second quit`() async throws {
    let session = try await CounterSession(.endless)
    await session.enter("+")
    try await session.terminal.expect(lastLines: "value: 0 (loading) > ")
    await session.enter("quit")
    try await session.terminal.expect("waiting for what was begun; quit again to leave at once")
    #expect(try await session.quit() == .exited(0))
    #expect(!session.terminal.screen.history.contains { $0.hasPrefix("error: ") })
  }

  @Test func `a user's mistake does not change the exit status`() async throws {
    let session = try await CounterSession()
    await session.enter("foo")
    try await session.terminal.expect("error: unknown command 'foo'")
    #expect(try await session.quit() == .exited(0))
  }
}
