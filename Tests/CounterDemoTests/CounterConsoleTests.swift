import Reactor
import ReactorREPLTesting
import ReactorTesting
import Testing
import TestLimits

@testable import CounterDemo

/// The counter at a terminal in memory, on a stopped clock.
@Suite(.bounded) struct CounterConsoleTests {
  private func talk(
    at place: TestConsole.Place = .terminal(),
    _ scenario: @escaping @Sendable (TestConsole) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      let counter = CounterReactor(clock: simulation.clock)
      let console = await TestConsole(in: simulation, at: place) {
        CounterScreen(reactor: counter, outlet: $0)
      }
      try await scenario(console)
    }
  }

  @Test func `the prompt loads and counts while the next line is typed`() async throws {
    try await talk { console in
      await console.type("+ 5\n- 1")
      #expect(console.prompt == "value: 0 (loading) > ")
      await console.advance(by: .milliseconds(500))
      #expect(console.prompt == "value: 5 > ")
      #expect(console.line == "- 1")
      #expect(console.said == ["alert: increased!"])
    }
  }

  @Test func `Ctrl-C on an empty line cancels a change`() async throws {
    try await talk { console in
      await console.type("+ 5\n")
      await console.press(.ctrlC)
      await console.advance(by: .seconds(1))
      #expect(console.prompt.hasPrefix("value: 0"))
      #expect(console.errors == ["warning: cancelled '+ 5'"])
    }
  }

  @Test func `a script waits for each change`() async throws {
    try await talk(at: .pipe) { console in
      await console.type("+ 5\n+ 1\n")
      await console.advance(by: .milliseconds(500))
      #expect(console.said.last == "value: 5 (loading)")
      await console.advance(by: .milliseconds(500))
      await console.end()
      #expect(console.said.suffix(2) == ["alert: increased!", "value: 6"])
      #expect(console.exitStatus == 0)
    }
  }
}
