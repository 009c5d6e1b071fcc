import ReactorREPLTesting
import ReactorTesting
import TestLimits
import Testing

@testable import Groceries

/// The blocks of the page *Testing a console*.
@Suite(.bounded) struct TestingAConsoleTests {
  @Test func `a thing is added and bought`() async throws {
    try await simulate { simulation in
      let screen = GroceryScreen(reactor: Groceries(clock: simulation.clock))
      let console = await TestConsole(screen, in: simulation)

      await console.type("add milk\nadd bread\n")
      #expect(console.rows == ["1 milk", "2 bread", ""])
      #expect(console.prompt == "2 > ")

      await console.type("buy 3\n")
      #expect(console.errors == ["error: there is no 3 on the list; try 'buy 1'"])

      await console.type("buy 1\nquit\n")
      #expect(console.exitStatus == 0)
    }
  }

  @Test func `a reminder comes while a line is typed`() async throws {
    try await simulate { simulation in
      let screen = GroceryScreen(reactor: Groceries(clock: simulation.clock))
      let console = await TestConsole(screen, in: simulation)

      await console.type("add milk\nremind 5\nadd br")
      await console.advance(by: .seconds(5 * 60))
      #expect(console.rows == ["1 milk", "time to go: milk"])
      #expect(console.line == "add br")

      await console.press(.ctrlC)
      await console.type("bu\t1\n")
      #expect(
        console.picture == """
          0 > add milk
          1 > remind 5
          1 > add br^C
          1 > buy 1
          0 >\u{20}
          """)
    }
  }

  @Test func `a script ends with 1 if a line was not carried out`() async throws {
    try await simulate { simulation in
      let screen = GroceryScreen(reactor: Groceries(clock: simulation.clock))
      let console = await TestConsole(screen, in: simulation, at: .pipe)
      await console.type("add milk\nbuy 2\n")
      await console.end()
      #expect(console.said == ["error: there is no 2 on the list; try 'buy 1'"])
      #expect(console.exitStatus == 1)
    }
  }

  @Test func `the program draws its rows below the line`() async throws {
    let terminal = try TerminalSession("Groceries", columns: 40, rows: 12)
    try await terminal.expect(lastLines: "0 > ")
    await terminal.send("add milk\r")
    try await terminal.expect("the row") { $0.pane.first == "1 milk" }
    try await terminal.expect(lastLines: "1 > ", "1 milk")

    terminal.resize(columns: 30, rows: 10)
    await terminal.send("add bread\r")
    try await terminal.expect("both rows") { $0.pane.prefix(2) == ["1 milk", "2 bread"] }
    #expect(terminal.screen.unknownSequences == [])

    await terminal.send("\u{4}")
    #expect(try await terminal.waitForExit() == .exited(0))
  }

  @Test func `the program reads a script`() async throws {
    let run = try await PipedRun.of("Groceries", input: "add milk\nprut\n")
    #expect(run.errorOutput == "error: unknown command 'prut'; 'help' lists all\n")
    #expect(run.status == .exited(1))
  }
}
