import ReactorREPLTesting
import Testing
import TestLimits

@testable import CounterDemo

@Suite(.bounded) struct CounterPipeErrorTests {
  private let range = "from \(Int.min) to \(Int.max)"
  private let between = "the value must stay between \(Int.min) and \(Int.max)"

  @Test(arguments: [
    ("foo", "unknown command 'foo'; 'help' lists all"),
    ("set abc", "set takes a whole number, not 'abc'; try 'set 5'"),
    ("set", "set needs a whole number; try 'set 5'"),
    ("+ -1", "-1 is out of range; use a number from 0 to \(Int.max)"),
    ("quit now", "quit takes nothing, not 'now'; type 'quit' alone"),
    ("\u{1B}[2J", #"unknown command '\u{1B}[2J'; 'help' lists all"#),
    ("a\0b", #"unknown command 'a\0b'; 'help' lists all"#),
  ])
  func `a line that is not understood is one error`(
    line: String, complaint: String
  ) async throws {
    try await PipedCounter.expectComplaint(complaint, about: Array(line.utf8))
  }

  @Test func `a number out of range is one error`() async throws {
    try await PipedCounter.expectComplaint(
      "99999999999999999999 is out of range; use a number \(range)",
      about: Array("set 99999999999999999999".utf8))
  }

  @Test func `a sum that would overflow is one error`() async throws {
    try await PipedCounter.expectComplaint(
      "5 cannot change by \(Int.max): \(between)", about: Array("+ \(Int.max)".utf8))
  }

  @Test func `invalid UTF-8 is one error`() async throws {
    try await PipedCounter.expectComplaint(
      "the line is not UTF-8 text; type a command, or 'help'", about: [0x2B, 0xFF, 0xFE])
  }

  @Test func `a line of one mebibyte is one error`() async throws {
    try await PipedCounter.expectComplaint(
      "the line is longer than 65536 bytes; type a command, or 'help'",
      about: Array(String(repeating: "reset ", count: (1 << 20) / 6 + 1).utf8))
  }

  @Test func `every bad line has an error of its own, in order`() async throws {
    let run = try await PipedCounter.run("foo\nset 5\nbar\nshow\n")
    let complaints = ["foo", "bar"].map { "error: unknown command '\($0)'; 'help' lists all\n" }
    #expect(run.errorOutput == complaints.joined())
    #expect(run.output == "value: 0\nvalue: 5\nvalue: 5\n")
    #expect(run.status == .exited(1))
  }

  @Test func `quit after a bad line still fails`() async throws {
    #expect(try await PipedCounter.run("foo\nquit\n").status == .exited(1))
  }
}

@Suite(.bounded) struct CounterArgumentTests {
  @Test func `--help lists the arguments and the commands`() async throws {
    let run = try await PipedCounter.run(arguments: ["--help"])
    let usage = "USAGE: CounterDemo [--delay <milliseconds>] [--keep] [--observe]\n"
    #expect(run.output.contains(usage))
    #expect(run.output.contains("(default: 500)"))
    #expect(run.output.contains(CounterCommand.helpText))
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test(arguments: ["abc", "1.5", "", "99999999999999999999"])
  func `a delay that is no number is named`(delay: String) async throws {
    let run = try await PipedCounter.run(arguments: ["--delay", delay])
    let complaint = "Error: The value '\(delay)' is invalid for '--delay <milliseconds>'\n"
    #expect(run.errorOutput.hasPrefix(complaint))
    #expect(run.output == "")
    #expect(run.status == .exited(64))
  }

  @Test(arguments: [["--delay=-1"], ["--delay", "-1"]])
  func `a delay below 0 is refused, with what would be right`(arguments: [String]) async throws {
    let run = try await PipedCounter.run(arguments: arguments)
    #expect(run.errorOutput.hasPrefix("Error: the delay cannot be negative; try --delay 0\n"))
    #expect(run.output == "")
    #expect(run.status == .exited(64))
  }

  @Test(arguments: ["--help", "--version", "--generate-completion-script bash"])
  func `a failure to write the output is an error`(arguments: String) async throws {
    let run = try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "\(BuiltProduct.path("CounterDemo")) \(arguments) > /dev/full"],
      input: [])
    #expect(run.errorOutput == "error: cannot write the output; see whether the disk is full\n")
    #expect(run.status == .exited(1))
  }

  @Test func `an unknown argument is refused`() async throws {
    let run = try await PipedCounter.run(arguments: ["5"])
    #expect(run.errorOutput.hasPrefix("Error: Unexpected argument '5'\n"))
    #expect(run.status == .exited(64))
  }
}
