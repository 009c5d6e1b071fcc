import ReactorREPLTesting
import Testing
import TestLimits

@testable import CounterDemo

@Suite(.bounded) struct CounterPipeTests {
  @Test func `each line is settled, and shown, before the next is read`() async throws {
    let run = try await PipedCounter.run("+\n+\n-\nquit\n")
    let lines = [
      "value: 0",
      "value: 0 (loading)", "alert: increased!", "value: 1",
      "value: 1 (loading)", "alert: increased!", "value: 2",
      "value: 2 (loading)", "alert: decreased!", "value: 1",
    ]
    #expect(run.output == lines.map { "\($0)\n" }.joined())
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `a state that is shown like the one before is not printed again`() async throws {
    let run = try await PipedCounter.run("set 5\nset 5\nreset\nreset\n")
    #expect(run.output == "value: 0\nvalue: 5\nvalue: 0\n")
    #expect(run.status == .exited(0))
  }

  @Test func `show prints the line again`() async throws {
    #expect(try await PipedCounter.run("show\nset 5\nshow\n").output.lines == [0, 0, 5, 5])
  }

  @Test func `help prints the commands, and nothing else`() async throws {
    let run = try await PipedCounter.run("help\n")
    #expect(run.output == "value: 0\n\(CounterCommand.helpText)\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `amounts and long names are understood`() async throws {
    let run = try await PipedCounter.run("increase 10\ndecrease 3\nquit\n")
    #expect(run.output.hasSuffix("alert: decreased!\nvalue: 7\n"))
  }

  @Test func `blank lines are skipped`() async throws {
    let run = try await PipedCounter.run("\n  \n\t\nset 5\n\n")
    #expect(run.output.lines == [0, 5])
    #expect(run.status == .exited(0))
  }

  @Test func `CRLF ends a line`() async throws {
    let run = try await PipedCounter.run("set 5\r\n\r\nshow\r\nquit\r\n")
    #expect(run.output.lines == [0, 5, 5])
    #expect(run.errorOutput == "")
  }

  @Test func `a last line needs no line feed`() async throws {
    #expect(try await PipedCounter.run("set 5\nset 6").output.lines == [0, 5, 6])
  }

  @Test func `empty input shows the initial state`() async throws {
    let run = try await PipedCounter.run("")
    #expect(run.output == "value: 0\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `what follows quit is not read`() async throws {
    let run = try await PipedCounter.run("quit\nfoo\nset 5\n")
    #expect(run.output == "value: 0\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `there are no escape codes and no prompts`() async throws {
    let run = try await PipedCounter.run("+\nfoo\nhelp\nshow\nquit\n")
    #expect(!(run.output + run.errorOutput).contains { "\u{1B}>\r".contains($0) })
  }

  @Test func `a closed standard output ends it as a shell expects, without a message`() async throws
  {
    let run = try await PipedCounter.run(bytes: Array("+\n+\n".utf8), reader: .closed)
    #expect(run.status == .signalled(13))
    #expect(run.errorOutput == "")
  }

  @Test func `very many lines are all executed`() async throws {
    let run = try await PipedCounter.run(String(repeating: "+\n", count: 2_000))
    #expect(run.output.hasSuffix("value: 2000\n"))
    #expect(run.output.split(separator: "\n").count == 1 + 3 * 2_000)
  }
}

extension String {
  /// The values of output that consists of settled states only.
  fileprivate var lines: [Int?] {
    split(separator: "\n").map { $0.hasPrefix("value: ") ? Int($0.dropFirst(7)) : nil }
  }
}
