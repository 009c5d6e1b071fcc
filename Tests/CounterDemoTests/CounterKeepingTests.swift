import ReactorREPLTesting
import Testing
import TestLimits

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `--keep`: the value of the last run, however that ended.
@Suite(.bounded(minutes: 10)) struct CounterKeepingTests {
  @Test func `a counter that is killed continues from its last value`() async throws {
    let first = try await CounterSession(.none, "--keep")
    await first.enter("set 5")
    try await first.terminal.expect(lastLines: "value: 5 > ")
    await first.enter("+ 2")
    try await first.terminal.expect(lastLines: "value: 7 > ")
    first.terminal.signal(SIGKILL)
    #expect(try await first.terminal.waitForExit() == .signalled(SIGKILL))
    let second = try await CounterSession(.none, "--keep", state: first.state, at: 7)
    #expect(!second.terminal.screen.history.contains { $0.hasPrefix("alert") })
    await second.enter("undo")
    try await second.terminal.expect(lastLines: "value: 5 > ")
    #expect(try await second.quit() == .exited(0))
  }

  @Test func `a change that was under way at a kill does not block the counter`() async throws {
    let first = try await CounterSession(.endless, "--keep")
    await first.enter("set 5")
    await first.enter("+")
    try await first.terminal.expect(lastLines: "value: 5 (loading) > ")
    first.terminal.signal(SIGKILL)
    _ = try await first.terminal.waitForExit()
    let second = try await CounterSession(.none, "--keep", state: first.state, at: 5)
    #expect(try await second.quit() == .exited(0))
  }

  @Test func `a change in progress at quit is completed and stored`() async throws {
    let first = try await CounterSession(.some, "--keep")
    await first.enter("+ 5")
    #expect(try await first.quit() == .exited(0))
    let second = try await CounterSession(.none, "--keep", state: first.state, at: 5)
    #expect(try await second.quit() == .exited(0))
  }

  @Test func `ten kills while it counts lose nothing that was shown`() async throws {
    let state = try ScratchDirectory()
    var shown = 0
    for round in 1...10 {
      let session = try PipedSession(
        "CounterDemo", arguments: ["--delay", "0", "--keep"],
        environment: ["XDG_STATE_HOME": state.path])
      #expect(try await value(of: session) >= shown, "kill \(round)")
      for _ in 0..<40 { await session.send("+\n") }
      for _ in 0..<round * 4 { shown = max(shown, try await value(of: session)) }
      session.signal(SIGKILL)
      for line in try await session.remainingLines() { shown = max(shown, Self.value(line) ?? 0) }
      _ = await session.waitForExit()
    }
    let after = try await PipedCounter.run("", "--keep", in: state)
    #expect(try #require(Self.value(String(after.output.dropLast()))) >= shown)
    #expect(shown > 10)
  }

  /// The next value that the program shows.
  private func value(of session: PipedSession) async throws -> Int {
    while true {
      if let value = Self.value(try #require(await session.nextLine())) { return value }
    }
  }

  /// A line cut short by a kill has a smaller value, which says nothing wrong.
  private static func value(_ line: String) -> Int? {
    line.hasPrefix("value: ")
      ? line.dropFirst(7).split(separator: " ").first.flatMap { Int($0) }
      : nil
  }

  @Test func `without --keep, every run begins at 0`() async throws {
    let state = try ScratchDirectory()
    _ = try await PipedCounter.run("set 5\n", in: state)
    #expect(try await PipedCounter.run("", in: state).output == "value: 0\n")
  }

  @Test func `undo, redo and at work over runs`() async throws {
    let state = try ScratchDirectory()
    _ = try await PipedCounter.run("set 5\n+ 3\n", "--keep", in: state)
    let run = try await PipedCounter.run(
      "undo\nundo\nredo\nat 0\nat 2\nundo\n", "--keep", in: state)
    #expect(run.output == [8, 5, 0, 5, 0, 8, 0].map { "value: \($0)\n" }.joined())
    #expect(run.status == .exited(0))
  }

  @Test func `history lists the newest changes, their times and causes`() async throws {
    let run = try await PipedCounter.run("set 5\n- 7\nundo\nhistory 2\n")
    let lines = run.output.split(separator: "\n").suffix(2)
    let form = /[23]  20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ  (.*)/
    #expect(
      lines.map { $0.wholeMatch(of: form)?.1 } == [
        "value: -2  decreased by 7, by action 1.1", "value: 5  undid 2",
      ])
  }

  @Test func `what cannot be undone or is not there is an error`() async throws {
    let run = try await PipedCounter.run("undo\nset 5\nredo\nat 9\nshow\n")
    #expect(run.output == "value: 0\nvalue: 5\nvalue: 5\n")
    #expect(
      run.errorOutput == """
        error: nothing to undo
        error: nothing to redo
        error: there is no change 9; use a number from 0 to 1

        """)
    #expect(run.status == .exited(1))
  }

  @Test func `a second process that keeps is refused while the first runs`() async throws {
    let first = try await CounterSession(.none, "--keep")
    let second = try await PipedCounter.run("set 9\n", "--keep", in: first.state)
    #expect(second.output == "")
    #expect(
      second.errorOutput
        == "error: the journal of counter '1' is open already, in this process or another: end "
        + "that one first\n")
    #expect(second.status == .exited(1))
    #expect(try await first.quit() == .exited(0))
    #expect(try await PipedCounter.run("", "--keep", in: first.state).output == "value: 0\n")
  }

  @Test func `a file of something else is refused and left as it is`() async throws {
    let state = try ScratchDirectory()
    try state.write("my diary", to: "reactor-counter/journal.sqlite")
    let run = try await PipedCounter.run("set 9\n", "--keep", in: state)
    #expect(run.output == "")
    #expect(run.errorOutput.hasPrefix("error: the journal in '\(state.path)/reactor-counter/"))
    #expect(run.errorOutput.split(separator: "\n").count == 1)
    #expect(run.status == .exited(1))
    #expect(state.read("reactor-counter/journal.sqlite") == "my diary")
  }
}

/// `--observe`: what the reactor does, step by step.
@Suite(.bounded) struct CounterObserveTests {
  @Test func `each step is a line on standard error, with its action`() async throws {
    let run = try await PipedCounter.run("+ 5\n", "--observe", in: try ScratchDirectory())
    #expect(run.output.hasSuffix("alert: increased!\nvalue: 5\n"))
    let lines = run.errorOutput.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("observed: CounterReactor") })
    let steps = [
      "action 0 'increase 5': taken", "action 0 'increase 5': effect 1 begun",
      "action 0 'increase 5': reduced 1 'begin'",
      "action 0 'increase 5': reduced 2 'end, adding 5'", "action 0 'increase 5': finished",
      "durable up to 1",
    ]
    for step in steps { #expect(lines.contains { $0.contains(step) }, "\(step)") }
    #expect(run.status == .exited(0))
  }

  @Test func `on a terminal the steps are printed above the prompt`() async throws {
    let session = try await CounterSession(.none, "--observe")
    await session.enter("set 5")
    try await session.terminal.expect("action 0 'set 5': reduced 1 'set 5'")
    try await session.terminal.expect("the new prompt") { $0.lines.last == "value: 5 > " }
    #expect(try await session.quit() == .exited(0))
  }
}
